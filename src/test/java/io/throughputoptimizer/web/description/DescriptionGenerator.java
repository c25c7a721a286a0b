package io.throughputoptimizer.web.description;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.springdoc.core.customizers.SpringDocCustomizers;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.providers.SpringDocProviders;
import org.springdoc.core.service.AbstractRequestService;
import org.springdoc.core.service.GenericResponseService;
import org.springdoc.core.service.OpenAPIService;
import org.springdoc.core.service.OperationService;
import org.springdoc.webmvc.api.OpenApiResource;
import org.springframework.beans.factory.ObjectFactory;

/// Makes the description of the API from the controllers. It knows no request, and one language.
public final class DescriptionGenerator extends OpenApiResource {
    private static final Locale LANGUAGE = Locale.ENGLISH;

    /// The server is given in the description.
    private static final String NO_URL = "";

    public DescriptionGenerator(
            ObjectFactory<OpenAPIService> builders,
            AbstractRequestService requests,
            GenericResponseService responses,
            OperationService operations,
            SpringDocConfigProperties settings,
            SpringDocProviders providers,
            SpringDocCustomizers customizers) {
        super(builders, requests, responses, operations, settings, providers, customizers);
    }

    @Override
    protected String getServerUrl(HttpServletRequest request, String path) {
        return NO_URL;
    }

    public byte[] yaml() {
        try {
            return openapiYaml(null, NO_URL, LANGUAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

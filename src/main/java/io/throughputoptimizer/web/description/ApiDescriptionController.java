package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Hidden;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springdoc.core.customizers.SpringDocCustomizers;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.providers.SpringDocProviders;
import org.springdoc.core.service.AbstractRequestService;
import org.springdoc.core.service.GenericResponseService;
import org.springdoc.core.service.OpenAPIService;
import org.springdoc.core.service.OperationService;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// The description of the API. It is made once for all callers, in the background after the start, so that whoever asks
/// first waits for little of it; it depends on nothing that they send. The generator's own controller, which makes one
/// for each language that is asked for, is switched
/// off by `springdoc.enable-default-api-docs`.
@Hidden
@RestController
@ConditionalOnProperty(name = "springdoc.api-docs.enabled", matchIfMissing = true)
class ApiDescriptionController {
    private static final Logger log = LoggerFactory.getLogger(ApiDescriptionController.class);
    private static final String YAML = "application/vnd.oai.openapi";

    private final SingletonSupplier<Description> description;

    private record Description(FixedDocument json, FixedDocument yaml) {}

    ApiDescriptionController(
            ObjectFactory<OpenAPIService> builders,
            AbstractRequestService requests,
            GenericResponseService responses,
            OperationService operations,
            SpringDocConfigProperties settings,
            SpringDocProviders providers,
            SpringDocCustomizers customizers) {
        this.description = SingletonSupplier.of(() -> {
            DescriptionGenerator generator = new DescriptionGenerator(
                    builders, requests, responses, operations, settings, providers, customizers);
            return new Description(FixedDocument.of(generator.json()), FixedDocument.of(generator.yaml()));
        });
    }

    @EventListener(ApplicationStartedEvent.class)
    void make() {
        Thread.ofPlatform().name("api-description").daemon().start(() -> {
            try {
                description.obtain();
            } catch (RuntimeException e) {
                // As when the service ends before; whoever asks has it made again.
                log.debug("no description of the API was made", e);
            }
        });
    }

    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> json(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return description.obtain().json().answer(encodings);
    }

    @GetMapping(path = "/v3/api-docs.yaml", produces = YAML)
    ResponseEntity<byte[]> yaml(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return description.obtain().yaml().answer(encodings);
    }
}

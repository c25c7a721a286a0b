package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.api.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// The description of the API, which comes with the service: to make it from the controllers costs seconds of a
/// processor. It depends on nothing that callers send. The generator's own controller, which makes one for each
/// language that is asked for, is switched off by `springdoc.enable-default-api-docs`.
@Hidden
@RestController
@ConditionalOnProperty(name = "springdoc.api-docs.enabled", matchIfMissing = true)
class ApiDescriptionController {
    private static final String YAML = "application/vnd.oai.openapi";

    private final FixedDocument yaml;
    private final SingletonSupplier<FixedDocument> json;

    ApiDescriptionController() {
        try {
            this.yaml = FixedDocument.of(new ClassPathResource("openapi/openapi.yaml").getContentAsByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.json = SingletonSupplier.of(() -> FixedDocument.of(YamlText.toJson(yaml.plain())));
    }

    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> json(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return json.obtain().answer(encodings);
    }

    @GetMapping(path = "/v3/api-docs.yaml", produces = YAML)
    ResponseEntity<byte[]> yaml(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return yaml.answer(encodings);
    }
}

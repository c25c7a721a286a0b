package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.api.YamlText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// API description, which tests generate from the controllers: to generate it takes seconds of a processor.
@Hidden
@RestController
class ApiDescriptionController {
    private static final String YAML = "application/vnd.oai.openapi";

    private final FixedDocument yaml;
    private final SingletonSupplier<FixedDocument> json;
    private final SingletonSupplier<FixedDocument> viewers;

    ApiDescriptionController() {
        try {
            this.yaml = FixedDocument.of(new ClassPathResource("openapi/openapi.yaml").getContentAsByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.json = SingletonSupplier.of(() -> FixedDocument.of(YamlText.toJson(yaml.plain())));
        this.viewers = SingletonSupplier.of(() -> FixedDocument.of(YamlText.toJsonForViewers(yaml.plain())));
    }

    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> json(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return json.obtain().answer(encodings);
    }

    /// Swagger UI, which `swagger-initializer.js` points to [#viewers].
    @GetMapping("/swagger-ui.html")
    ResponseEntity<Void> viewer() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .header(HttpHeaders.LOCATION, "./swagger-ui/index.html")
                .build();
    }

    /// Swagger UI reads this one.
    @GetMapping(path = "/v3/api-docs/viewer", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> viewers(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return viewers.obtain().answer(encodings);
    }

    @GetMapping(path = "/v3/api-docs.yaml", produces = YAML)
    ResponseEntity<byte[]> yaml(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return yaml.answer(encodings);
    }

    /// A document that does not change while the service runs. It is compressed once and not for each caller: Tomcat
    /// leaves
    /// alone what has a strong `ETag`.
    ///
    /// @param plain the document
    /// @param compressed document compressed by gzip
    /// @param digest digest of the document, equal on all replicas
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
    record FixedDocument(byte[] plain, byte[] compressed, String digest) {
        private static final String GZIP = "gzip";
        private static final int DIGEST_BYTES = 16;

        /// A content coding of `Accept-Encoding` that takes it with any weight but none.
        private static final Pattern TAKES_GZIP =
                Pattern.compile("\\s*gzip\\s*(;\\s*q=(1(\\.0*)?|0\\.0*[1-9]\\d*)\\s*)?", Pattern.CASE_INSENSITIVE);

        static FixedDocument of(byte[] plain) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
                gzip.write(plain);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new FixedDocument(plain, compressed.toByteArray(), digest(plain));
        }

        private static String digest(byte[] plain) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(plain);
                return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }

        /// @param encodings value of `Accept-Encoding`
        ResponseEntity<byte[]> answer(@Nullable String encodings) {
            ResponseEntity.BodyBuilder answer = ResponseEntity.ok().varyBy(HttpHeaders.ACCEPT_ENCODING);
            return takesGzip(encodings)
                    ? answer.header(HttpHeaders.CONTENT_ENCODING, GZIP)
                            .eTag(digest + "-" + GZIP)
                            .body(compressed)
                    : answer.eTag(digest).body(plain);
        }

        private static boolean takesGzip(@Nullable String encodings) {
            return encodings != null
                    && Arrays.stream(encodings.split(",", -1))
                            .anyMatch(coding -> TAKES_GZIP.matcher(coding).matches());
        }
    }
}

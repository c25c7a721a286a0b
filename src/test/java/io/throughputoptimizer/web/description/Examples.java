package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.throughputoptimizer.api.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.HandlerMethod;

/// Examples of requests, one file each in the folder `examples`. Its `index.json` has their operations and names.
public final class Examples implements GlobalOperationCustomizer {
    private static final String FOLDER = "examples/";
    private static final Index INDEX = WireFormat.read(text("index.json"), Index.class);

    /// Examples of requests by operation and media type.
    record Index(Map<String, Map<String, List<Named>>> operations) {}

    /// @param file file name
    record Named(String name, @Nullable String summary, String file) {}

    /// Returns the text of an example.
    ///
    /// @param name file name
    public static String text(String name) {
        try {
            return new ClassPathResource(FOLDER + name).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod method) {
        INDEX.operations()
                .getOrDefault(operation.getOperationId(), Map.of())
                .forEach((type, examples) -> Optional.ofNullable(operation.getRequestBody())
                        .map(body -> body.getContent().get(type))
                        .ifPresent(content -> examples.forEach(example -> content.addExamples(
                                example.name(),
                                new Example().summary(example.summary()).value(read(example.file()))))));
        return operation;
    }

    /// Returns the members of a JSON file, and the text of any other.
    private static Object read(String name) {
        return name.endsWith(".json") ? WireFormat.read(text(name), Map.class) : text(name);
    }
}

package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.throughputoptimizer.api.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.HandlerMethod;

/// Examples of the API description, one file each in the folder `examples`. The value of an
/// [io.swagger.v3.oas.annotations.media.ExampleObject] is the path of its file.
public final class Examples implements GlobalOperationCustomizer {
    private static final String FOLDER = "examples/";

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
        if (operation.getRequestBody() != null) {
            fill(operation.getRequestBody().getContent());
        }
        operation.getResponses().values().forEach(response -> fill(response.getContent()));
        return operation;
    }

    private static void fill(@Nullable Content content) {
        for (MediaType type : content == null ? Map.<String, MediaType>of().values() : content.values()) {
            if (isFile(type.getExample())) {
                type.setExample(read(type.getExample()));
            }
            Stream.ofNullable(type.getExamples())
                    .flatMap(examples -> examples.values().stream())
                    .filter(example -> isFile(example.getValue()))
                    .forEach(example -> example.setValue(read(example.getValue())));
        }
    }

    private static boolean isFile(@Nullable Object value) {
        return value instanceof String path && path.startsWith(FOLDER);
    }

    /// Returns the members of a JSON file, and the text of any other.
    private static Object read(Object path) {
        String name = path.toString().substring(FOLDER.length());
        return name.endsWith(".json") ? WireFormat.read(text(name), Map.class) : text(name);
    }
}

package io.throughputoptimizer.web.description;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;

/// Requests in the folder `examples`, one file each.
public final class Examples {
    private Examples() {}

    /// Returns the text of an example.
    ///
    /// @param name file name
    public static String text(String name) {
        try {
            return new ClassPathResource("examples/" + name).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

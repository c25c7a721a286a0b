package io.throughputoptimizer.web;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/// An answer that is written as it is made, by the media types that it can be had in.
///
/// @param forms the first is that of who does not say which
public record Streamed(Map<String, Form> forms) {

    /// Writes the answer in one of its forms.
    @FunctionalInterface
    public interface Form {
        void write(Writer writer) throws IOException;
    }
}

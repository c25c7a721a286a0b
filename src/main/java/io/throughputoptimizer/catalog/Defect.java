package io.throughputoptimizer.catalog;

/// A defect of a document.
///
/// @param pointer JSON pointer (RFC 6901) of the field within the document; empty for the document itself
/// @param message field, value and rule
public record Defect(String pointer, String message) {

    @Override
    public String toString() {
        return pointer.isEmpty() ? message : "at " + pointer + ": " + message;
    }
}

package io.throughputoptimizer.catalog;

/// One thing wrong with a document.
///
/// @param pointer JSON pointer (RFC 6901) of the member within the document; empty for the document itself
/// @param message member, value and rule
public record Defect(String pointer, String message) {

    @Override
    public String toString() {
        return pointer.isEmpty() ? message : "at " + pointer + ": " + message;
    }
}

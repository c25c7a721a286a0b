package io.throughputoptimizer.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// Thrown if a document is parsed but invalid; lists all its defects.
public final class InvalidDocumentException extends IllegalArgumentException {
    private final transient List<Defect> defects;

    InvalidDocumentException(List<Defect> defects) {
        super(defects.stream().map(Defect::toString).collect(Collectors.joining("; ")));
        this.defects = List.copyOf(defects);
    }

    /// Returns the defects in document order; pointers are relative to the document.
    public List<Defect> defects() {
        return defects;
    }
}

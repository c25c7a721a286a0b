package io.throughputoptimizer.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// A document that was read but makes no sense; says everything that is wrong with it.
public final class InvalidDocumentException extends IllegalArgumentException {
    private final transient List<Defect> defects;

    InvalidDocumentException(List<Defect> defects) {
        super(defects.stream().map(Defect::toString).collect(Collectors.joining("; ")));
        this.defects = List.copyOf(defects);
    }

    /// What is wrong, in the order of the document's members; pointers are relative to the document.
    public List<Defect> defects() {
        return defects;
    }
}

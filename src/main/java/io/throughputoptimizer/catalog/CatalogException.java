package io.throughputoptimizer.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// Thrown if the catalog cannot be read; the message contains file, key and rule.
public final class CatalogException extends RuntimeException {

    /// @param location the file or folder
    CatalogException(String location, List<Defect> defects) {
        super(location + ": " + defects.stream().map(Defect::toString).collect(Collectors.joining("; ")));
    }

    CatalogException(String location, String message) {
        this(location, List.of(new Defect("", message)));
    }
}

package io.throughputoptimizer;

import io.throughputoptimizer.catalog.CatalogException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Says which file of a user's own catalogue is wrong, and where.
final class CatalogFailureAnalyzer extends AbstractFailureAnalyzer<CatalogException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, CatalogException failure) {
        return new FailureAnalysis(
                failure.getMessage(),
                "Correct the file or remove it from its folder: docs/how-to/add-a-model.md, docs/how-to/add-a-device.md.",
                failure);
    }
}

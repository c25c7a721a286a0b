package io.throughputoptimizer;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Says which settings are wrong, a line each.
final class InvalidSettingsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingsException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidSettingsException failure) {
        return new FailureAnalysis(
                failure.getMessage(), "docs/configuration.md lists the settings, and what each takes.", failure);
    }
}

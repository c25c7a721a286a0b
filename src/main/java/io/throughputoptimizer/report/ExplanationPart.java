package io.throughputoptimizer.report;

import io.throughputoptimizer.report.table.CsvRenderer;
import io.throughputoptimizer.report.table.Report;
import java.util.List;
import java.util.Locale;

/// A table of an explanation.
public enum ExplanationPart {
    BINDING,
    SENSITIVITIES,
    RELAXATIONS,
    FRONTIER;

    /// Its name in a query.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The table as comma-separated values.
    ///
    /// @throws IllegalArgumentException if the findings have no explanation
    public String csv(Findings findings) {
        if (findings.result().explanation() == null) {
            throw new IllegalArgumentException("the result has no explanation");
        }
        return new CsvRenderer()
                .render(new Report(
                        List.of(), ExplanationRecords.of(findings.result().explanation(), this)));
    }
}

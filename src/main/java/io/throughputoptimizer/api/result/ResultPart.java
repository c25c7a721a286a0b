package io.throughputoptimizer.api.result;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// A part of a result that an answer has only on request.
public enum ResultPart {
    /// Batch sizes that the search evaluated.
    PROBES,
    /// Points of Pareto frontiers.
    FRONTIER,
    /// Requests per input length of the batches of deployments.
    COMPOSITIONS,
    /// Rows after the first [BriefResult#ROWS] of a table.
    ALL_ROWS;

    /// All parts.
    public static final Set<ResultPart> ALL = Set.copyOf(EnumSet.allOf(ResultPart.class));

    /// Returns the name in the API.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}

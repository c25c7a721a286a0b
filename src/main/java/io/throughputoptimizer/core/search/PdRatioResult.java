package io.throughputoptimizer.core.search;

import java.util.List;

/// How prefill and decode instances on one kind of device go together.
///
/// @param rows best combination per pair of candidates, the best first. By the reference's rules they are ranked by
///     balanced requests per second, and those that tie in them to 2 decimals are shown once; else each stands in the
///     numbers of instances that are best for it
/// @param rowsLeftOut how many worse ones there are
public record PdRatioResult(List<PdRatioRow> rows, long rowsLeftOut) {
    public PdRatioResult {
        rows = List.copyOf(rows);
    }

    /// Of all rows there are.
    public PdRatioResult(List<PdRatioRow> rows) {
        this(rows, 0);
    }
}

package io.throughputoptimizer.core.search;

import java.util.List;

/// Combinations of prefill and decode instances on one kind of device.
///
/// @param rows best combination per pair of candidates, the best first. By the reference's rules they are
///     ranked by balanced requests per second, and rows that are equal in them to 2 decimals are shown once;
///     otherwise each row has its best instance counts
/// @param rowsLeftOut number of worse rows that were dropped
public record PdRatioResult(List<PdRatioRow> rows, long rowsLeftOut) {
    public PdRatioResult {
        rows = List.copyOf(rows);
    }

}

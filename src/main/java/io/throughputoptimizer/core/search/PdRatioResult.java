package io.throughputoptimizer.core.search;

import java.util.List;

/// How prefill and decode instances on one kind of device go together.
///
/// @param rows best combination per pair of candidates, ranked by balanced requests per second; those that tie in
///     them to 2 decimals are shown once. The first is the best
public record PdRatioResult(List<PdRatioRow> rows) {
    public PdRatioResult {
        rows = List.copyOf(rows);
    }
}

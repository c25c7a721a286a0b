package io.throughputoptimizer.report;

import io.throughputoptimizer.report.table.Table;
import java.util.Map;

/// Names of columns in the listing of all recorded rows, which has those of msmodeling.
final class ReferenceNames {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("device", "device_name"),
            Map.entry("ttft_ms", "ttft"),
            Map.entry("tpot_ms", "tpot"),
            Map.entry("tokens_per_s", "token/s"),
            Map.entry("tokens_per_s_per_device", "token/s/device"),
            Map.entry("requests_per_s", "qps"),
            Map.entry("sustained_requests_per_s", "sustained_qps"),
            Map.entry("breakdown", "percentage_breakdowns"),
            Map.entry("prefill_breakdown", "percentage_breakdowns(p)"),
            Map.entry("decode_breakdown", "percentage_breakdowns(d)"),
            Map.entry("total_gb", "total_GB"),
            Map.entry("weight_gb", "weight_GB"),
            Map.entry("kv_cache_gb", "kv_cache_GB"),
            Map.entry("activation_gb", "activation_GB"),
            Map.entry("reserved_gb", "reserved_GB"),
            Map.entry("available_gb", "avail_GB"));

    /// Names of columns of pairs.
    private static final Map<String, String> OF_PAIRS = Map.of(
            "ttft_ms", "ttft_p",
            "tpot_ms", "tpot_d",
            "prefill_requests_per_s", "p_qps",
            "decode_requests_per_s", "d_qps",
            "balanced_requests_per_s", "balanced_qps");

    private ReferenceNames() {}

    /// Returns the table under the names of msmodeling.
    ///
    /// @param pairs whether rows are pairs of prefill and decode instances
    static Table of(Table records, boolean pairs) {
        Map<String, String> first = pairs ? OF_PAIRS : Map.of();
        return new Table(
                records.columns().stream()
                        .map(name -> first.getOrDefault(name, NAMES.getOrDefault(name, name)))
                        .toList(),
                records.rows());
    }
}

package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Section.Fact;
import org.jspecify.annotations.Nullable;

/// The transfer of the KV cache from prefill to decode, in words.
final class Transfers {
    private Transfers() {}

    /// The transfer that was asked for.
    static Fact asked(KvTransferRequest transfer) {
        return new Fact("KV Transfer", transfer.gbPerS() + " GB/s, " + transfer.latencyMs() + " ms");
    }

    /// Describes the share of the TTFT that the transfer takes.
    static String words(PdRatioRowResponse row) {
        PairKindsResponse kinds = row.kinds();
        return kinds == null ? "" : words(kinds.kvTransferMs(), kinds.kvTransferGb());
    }

    static String words(@Nullable Double millis, @Nullable Double gigabytes) {
        return millis == null || gigabytes == null
                ? ""
                : ", " + Decimals.fixed(millis, 2) + " ms of it for " + Decimals.fixed(gigabytes, 3)
                        + " GB of KV cache";
    }
}

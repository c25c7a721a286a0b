package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Figures of prefill and decode instances together.
@Schema(
        name = "SteadyPair",
        description = "Figures of all instances together. TTFT and TPOT are always present; other figures"
                + " require `cost_model: calibrated`, or lists, several device types or a KV transfer in"
                + " `pd_ratio`.")
public record SteadyPairResponse(
        @Schema(description = "Concurrency over all instances. Requires `cost_model: calibrated`.") @Nullable
        Long concurrency,

        @Schema(description = "Devices of all instances; the others are idle.") @Nullable
        Integer devicesUsed,

        @Schema(
                description = "TTFT in ms, with `kv_transfer_ms` if a KV transfer is requested. With `cost_model:"
                        + " calibrated`: mean TTFT without router and imbalance, mostly too low.")
        @Nullable
        Double ttftMs,

        @Schema(description = "Mean time per output token in ms.") @Nullable
        Double tpotMs,

        @JsonUnwrapped @Nullable RequestLatencyResponse requestLatency,

        @Schema(description = "Output tokens per second of all instances.") @Nullable
        Double tokensPerS,

        @Schema(description = "`tokens_per_s` divided by `devices_used`.") @Nullable
        Double tokensPerSPerDevice,

        @Schema(
                description = "Requests per second of all instances. With accounting `steady`, those that"
                        + " `prefill_sustained_requests_per_s` and `decode_sustained_requests_per_s` allow.")
        @Nullable
        Double requestsPerS,

        @Schema(
                description = "Sustainable requests per second of all instances. Smaller of `prefill_instances`"
                        + " times `prefill_sustained_requests_per_s` and `decode_instances` times"
                        + " `decode_sustained_requests_per_s`.")
        @Nullable
        Double sustainedRequestsPerS,

        @Schema(description = "Time of a prompt by kind, in percent.") @Nullable
        BreakdownResponse prefillBreakdown,

        @Schema(description = "Time of a decode step by kind, in percent.") @Nullable
        BreakdownResponse decodeBreakdown,

        @Schema(description = "Memory of a decode rank by use.") @Nullable
        MemoryResponse memory,

        @Schema(description = "Memory of a prefill rank by use. Requires `cost_model: calibrated`.") @Nullable
        MemoryResponse prefillMemory) {
    public SteadyPairResponse {
        requestLatency = RequestLatencyResponse.orAbsent(requestLatency);
    }

    /// Returns the figures of pairs of cost model `analytic` in numbers of instances; of other pairs only the
    /// latencies.
    static SteadyPairResponse from(PdRatioRow row, Demand demand) {
        RequestLatencyResponse latency = RequestLatencyResponse.of(
                row.requestLatencyMillis(demand.workload().outputs()), demand.limits());
        PdRatioRow.Together together = row.together();
        if (together == null) {
            return new SteadyPairResponse(
                    null,
                    null,
                    row.prefill().latencyMillis(),
                    row.decode().latencyMillis(),
                    latency,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
        double tokens = together.requestsPerS() * demand.workload().outputs().mean();
        return new SteadyPairResponse(
                null,
                together.devices(),
                together.ttftMillis(),
                row.decode().latencyMillis(),
                latency,
                tokens,
                tokens / together.devices(),
                together.requestsPerS(),
                together.sustainedRequestsPerS(),
                null,
                null,
                null,
                null);
    }

    static SteadyPairResponse from(CalibratedRow row, RequestLengths lengths, Limits limits) {
        return new SteadyPairResponse(
                row.at().concurrency(),
                row.at().devices(),
                row.at().ttftMillis().value(),
                row.at().tpotMillis().value(),
                RequestLatencyResponse.of(row.at(), limits),
                row.at().tokensPerSecond().value(),
                row.at().tokensPerSecondPerDevice().value(),
                row.at().requestsPerSecond().value(),
                row.at().sustainedRequestsPerS(),
                BreakdownResponse.percent(row.steps().prefill()),
                BreakdownResponse.percent(row.steps().decode()),
                MemoryResponse.from(row, lengths),
                MemoryResponse.ofPrompt(row, lengths));
    }

    /// Returns the response, or null if nothing is known of all instances.
    static @Nullable SteadyPairResponse orAbsent(@Nullable SteadyPairResponse pair) {
        return pair == null || pair.ttftMs == null ? null : pair;
    }
}

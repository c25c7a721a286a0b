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
@Schema(name = "SteadyPair")
public record SteadyPairResponse(
        @Nullable Long concurrency,
        @Nullable Integer devicesUsed,
        @Nullable Double ttftMs,
        @Nullable Double tpotMs,
        @JsonUnwrapped @Nullable RequestLatencyResponse requestLatency,
        @Nullable Double tokensPerS,
        @Nullable Double tokensPerSPerDevice,
        @Nullable Double requestsPerS,
        @Nullable Double sustainedRequestsPerS,
        @Nullable BreakdownResponse prefillBreakdown,
        @Nullable BreakdownResponse decodeBreakdown,
        @Nullable MemoryResponse memory,
        @Nullable MemoryResponse prefillMemory) {
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

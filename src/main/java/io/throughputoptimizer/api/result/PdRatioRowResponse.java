package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind of prefill instance that feeds a kind of decode instance.
@Schema(name = "PdRatioRow")
public record PdRatioRowResponse(
        int rank,
        double pdRatio,
        @Nullable Double prefillRequestsPerS,
        @Nullable Double decodeRequestsPerS,
        @Nullable Double prefillSustainedRequestsPerS,
        @Nullable Double decodeSustainedRequestsPerS,
        @Nullable Double balancedRequestsPerS,
        @JsonProperty("parallel_p") ParallelResponse prefillParallel,
        @JsonProperty("parallel_d") ParallelResponse decodeParallel,
        @JsonProperty("num_devices_p") int prefillDevices,
        @JsonProperty("num_devices_d") int decodeDevices,
        @JsonProperty("batch_size_p") @Nullable Long prefillBatchSize,
        @JsonProperty("batch_size_d") @Nullable Long decodeBatchSize,
        @JsonProperty("concurrency_p") @Nullable Long prefillConcurrency,
        @JsonProperty("concurrency_d") @Nullable Long decodeConcurrency,
        @Nullable Integer prefillInstances,
        @Nullable Integer decodeInstances,
        @JsonUnwrapped @Nullable AvailableResponse available,
        @JsonUnwrapped @Nullable PairKindsResponse kinds,
        @JsonUnwrapped @Nullable SteadyPairResponse load,
        @JsonUnwrapped @Nullable FigureBandsResponse bands,
        @JsonUnwrapped @Nullable SteadyRowResponse steady,
        @JsonUnwrapped @Nullable ConversationsResponse conversations,
        @Nullable ObjectiveResponse objective,
        @Nullable List<BindingName> limitedBy,
        @Nullable List<BindingName> limitedByPrefill,
        @Nullable List<BindingName> limitedByDecode,
        @Nullable List<String> warnings) {
    public PdRatioRowResponse {
        available = AvailableResponse.orAbsent(available);
        kinds = PairKindsResponse.orAbsent(kinds);
        load = SteadyPairResponse.orAbsent(load);
        bands = FigureBandsResponse.orAbsent(bands);
        steady = SteadyRowResponse.orAbsent(steady);
        conversations = ConversationsResponse.orAbsent(conversations);
    }

    /// @param rank place in the table that it is shown in
    static PdRatioRowResponse from(PdRatioRow row, int rank, Demand demand) {
        InstanceCounts instances = row.instances();
        PairObjective objective = PairObjective.of(demand);
        return new PdRatioRowResponse(
                rank,
                row.ratio(),
                row.prefill().requestsPerS(),
                row.decode().requestsPerS(),
                row.prefill().sustainedRequestsPerS(),
                row.decode().sustainedRequestsPerS(),
                row.balancedRequestsPerS(),
                ParallelResponse.from(row.prefill().candidate()),
                ParallelResponse.from(row.decode().candidate()),
                row.prefill().deviceCount(),
                row.decode().deviceCount(),
                row.prefill().batchSize(),
                row.decode().batchSize(),
                row.prefill().concurrency(),
                row.decode().concurrency(),
                instances == null ? null : instances.prefill(),
                instances == null ? null : instances.decode(),
                AvailableResponse.from(
                        row.available(), demand.workload().outputs().mean()),
                row.together() == null ? null : PairKindsResponse.from(row, row.together()),
                SteadyPairResponse.from(row, demand),
                null,
                null,
                null,
                objective == null ? null : ObjectiveResponse.of(objective.objective(), objective.value(row)),
                null,
                BindingName.of(row.prefill().binds()),
                BindingName.of(row.decode().binds()),
                RowWarnings.of(row));
    }

    /// A pair on measured devices, in the numbers that it was searched with.
    static PdRatioRowResponse from(CalibratedRow row, int rank, CalibratedResponses.Asked asked) {
        CalibratedPoint at = row.at();
        CalibratedInstances.Pair pair = at.pair();
        return new PdRatioRowResponse(
                rank,
                pair.ratio(),
                null,
                null,
                pair.prefillPerSecond(at.figures()),
                pair.decodePerSecond(at.figures()),
                null,
                ParallelResponse.from(pair.prefill()),
                ParallelResponse.from(pair.decode()),
                pair.prefill().layout().deviceCount(),
                pair.decode().layout().deviceCount(),
                null,
                null,
                null,
                null,
                pair.counts().prefill(),
                pair.counts().decode(),
                AvailableResponse.from(row, asked.problem().available()),
                asked.problem().countsInstances() ? PairKindsResponse.from(at) : null,
                SteadyPairResponse.from(
                        row,
                        asked.problem().demand().traffic().lengths(),
                        asked.problem().demand().limits()),
                FigureBandsResponse.from(at, null),
                SteadyRowResponse.from(at, null, null).with(SpeculationResponse.of(row)),
                ConversationsResponse.of(at.figures().kept(), at.instances().shares()),
                asked.objective(at),
                BindingName.of(row.binds()),
                null,
                null,
                RowWarnings.of(row, asked.problem().demand()));
    }

    /// Instances of a pair on the available devices.
    @Schema(name = "PairOnDevices")
    public record AvailableResponse(
            @Nullable Integer devicesIdle, @Nullable BestFitResponse most) {

        static @Nullable AvailableResponse from(PdRatioRow.@Nullable Available available, double outputTokens) {
            return available == null
                    ? null
                    : new AvailableResponse(
                            available.idle(),
                            available.most() == null ? null : BestFitResponse.from(available.most(), outputTokens));
        }

        static AvailableResponse from(CalibratedRow row, AvailableDevices available) {
            int all = row.at().pair().kinds().all(available);
            return new AvailableResponse(
                    Math.max(0, all - row.at().devices()),
                    row.most() == null ? null : BestFitResponse.from(row.most()));
        }

        /// Returns the response, or null if it is empty.
        static @Nullable AvailableResponse orAbsent(@Nullable AvailableResponse available) {
            return available == null || (available.devicesIdle == null && available.most == null) ? null : available;
        }
    }
}

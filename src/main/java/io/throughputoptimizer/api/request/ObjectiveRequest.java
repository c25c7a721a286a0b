package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.steady.ServiceLimits;
import io.throughputoptimizer.core.steady.Traffic.TtftBasis;
import io.throughputoptimizer.core.workload.ServiceObjective;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/// Limits that the deployment must keep, as they come over the wire.
@Schema(name = "Slo", description = "Limits in ms that the deployment must keep; a number, or \"inf\" for no limit.")
public record ObjectiveRequest(
        @Schema(description = "Highest time to first token in ms.", ref = ObjectiveRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double ttftMs,

        @Schema(description = "Highest time per output token in ms.", ref = ObjectiveRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double tpotMs,

        @Schema(
                description =
                        "Which mean the TTFT limit is held against; cost model `calibrated` only. `benchmark`: that of"
                                + " a benchmark, its opening burst included. `settled`: that of the requests after the"
                                + " burst.",
                defaultValue = "benchmark")
        @Nullable
        TtftBasisName ttftBasis,

        @Schema(
                description = "Percentile of the requests that must keep the limits, checked by simulation, instead of"
                        + " their mean; cost model `calibrated`, mode `aggregation` only.",
                example = "99")
        @DecimalMin("50")
        @DecimalMax("99")
        @Nullable
        Double percentile) {
    /// Reference to the schema of a limit: what [LimitReader] reads is in no Java type.
    private static final String LIMIT = "#/components/schemas/Limit";

    /// Wire names of the [TtftBasis]s.
    public enum TtftBasisName {
        @JsonProperty("benchmark")
        BENCHMARK(TtftBasis.BENCHMARK),
        @JsonProperty("settled")
        SETTLED(TtftBasis.SETTLED);

        private final TtftBasis basis;

        TtftBasisName(TtftBasis basis) {
            this.basis = basis;
        }
    }

    static final ObjectiveRequest NONE = new ObjectiveRequest(null, null);

    /// Limits as cost model `analytic` takes them.
    public ObjectiveRequest(@Nullable Double ttftMs, @Nullable Double tpotMs) {
        this(ttftMs, tpotMs, null, null);
    }

    /// The same limits on means of a lasting load.
    ServiceLimits toLimits() {
        return new ServiceLimits(
                ttftMs, tpotMs, requireNonNullElse(ttftBasis, TtftBasisName.BENCHMARK).basis, percentile);
    }

    /// The same with the basis of the TTFT limit filled in.
    ObjectiveRequest withBasis() {
        return new ObjectiveRequest(ttftMs, tpotMs, requireNonNullElse(ttftBasis, TtftBasisName.BENCHMARK), percentile);
    }

    public ServiceObjective toObjective() {
        return new ServiceObjective(ttftMs, tpotMs);
    }
}

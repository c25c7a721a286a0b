package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.ser.std.StdSerializer;

/// Limits that the deployment must keep, as they come over the wire.
@Schema(name = "Slo")
public record LimitsRequest(
        @Schema(ref = LimitsRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double ttftMs,

        @Schema(ref = LimitsRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double tpotMs,

        @Only(costModel = CostModelName.CALIBRATED)
        @Schema(
                description = "TTFT that the target and `ttft_ms` of plans refer to. `settled`: mean after the"
                        + " opening burst, as under lasting load. `benchmark`: mean of a benchmark with its burst."
                        + " {only}. Default: `benchmark` if `traffic.waves` or `traffic.requests` is set, else"
                        + " `settled`.")
        @Nullable
        TtftBasisName ttftBasis,

        @Only(
                costModel = CostModelName.CALIBRATED,
                mode = {Mode.AGGREGATION, Mode.CAPACITY})
        @Refused(costModel = CostModelName.CALIBRATED, mode = Mode.PD_RATIO, says = LimitsRequest.NOT_SIMULATED)
        @Refused(costModel = CostModelName.CALIBRATED, mode = Mode.DISAGGREGATION, says = Refused.WITH_ITS_MODE)
        @Schema(
                description = "Percentile of requests that must meet the targets, by simulation. {only}."
                        + " Default: the mean.")
        @DecimalMin("50")
        @DecimalMax("99")
        @Nullable
        Double percentile,

        @Positive @Nullable Double tokensPerSPerUser,

        @Refused(
                costModel = CostModelName.ANALYTIC,
                mode = Mode.DISAGGREGATION,
                says = "is not supported in mode disaggregation, which plans one phase at a time. Use mode pd_ratio")
        @Schema(ref = LimitsRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double e2eLatencyMs) {
    /// Reference to the schema of a limit: what [LimitReader] reads is in no Java type.
    private static final String LIMIT = "#/components/schemas/Limit";

    private static final double MILLIS = 1000;

    static final String NOT_SIMULATED = "is supported in mode aggregation only. Remove it or change mode";

    /// Wire names of the [TtftBasis]s.
    public enum TtftBasisName {
        BENCHMARK(TtftBasis.BENCHMARK),
        SETTLED(TtftBasis.SETTLED);

        private final TtftBasis basis;

        TtftBasisName(TtftBasis basis) {
            this.basis = basis;
        }

        /// Returns the name of a basis.
        public static TtftBasisName of(TtftBasis basis) {
            return switch (basis) {
                case BENCHMARK -> BENCHMARK;
                case SETTLED -> SETTLED;
            };
        }

        TtftBasis basis() {
            return basis;
        }
    }

    static final LimitsRequest NONE = new LimitsRequest(null, null);

    /// Limits as cost model `analytic` takes them.
    public LimitsRequest(@Nullable Double ttftMs, @Nullable Double tpotMs) {
        this(ttftMs, tpotMs, null, null, null, null);
    }

    /// Returns the limits that a search applies to candidates.
    public Limits toLimits() {
        return new Limits(
                ttftMs,
                tpotLimitMs(),
                requireNonNullElse(ttftBasis, TtftBasisName.BENCHMARK).basis,
                percentile,
                tokensPerSPerUser != null,
                e2eLatencyMs);
    }

    /// Highest time per output token in ms, however it was asked for; absent for none.
    public @Nullable Double tpotLimitMs() {
        return tokensPerSPerUser == null ? tpotMs : Double.valueOf(MILLIS / tokensPerSPerUser);
    }

    /// Returns a copy with the basis of the TTFT filled in.
    ///
    /// @param ofBenchmark whether the traffic is a benchmark
    LimitsRequest withBasis(boolean ofBenchmark) {
        TtftBasisName usual = ofBenchmark ? TtftBasisName.BENCHMARK : TtftBasisName.SETTLED;
        return WireMember.copy(this, "ttftBasis", requireNonNullElse(ttftBasis, usual));
    }

    /// Writes a latency limit as [LimitReader] reads it.
    public static final class LimitWriter extends StdSerializer<Double> {
        LimitWriter() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator generator, SerializationContext context) {
            if (value.isInfinite()) {
                generator.writeString(WireFormat.INFINITE);
            } else {
                generator.writeNumber(value);
            }
        }
    }

    /// Reads a latency limit: a number, or `"inf"` for none.
    public static final class LimitReader extends StdDeserializer<Double> {
        LimitReader() {
            super(Double.class);
        }

        @Override
        public Double deserialize(JsonParser parser, DeserializationContext context) {
            if (parser.currentToken().isNumeric()) {
                return parser.getString().equals(WireFormat.YAML_INFINITY)
                        ? Double.POSITIVE_INFINITY
                        : parser.getDoubleValue();
            }
            if (parser.hasToken(JsonToken.VALUE_STRING)) {
                String text = parser.getString();
                if (text.equals(WireFormat.INFINITE)) {
                    return Double.POSITIVE_INFINITY;
                }
                throw context.weirdStringException(text, Double.class, "a number or \"inf\"");
            }
            return (Double) context.handleUnexpectedToken(Double.class, parser);
        }
    }
}

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is asked of the deployment, as it comes over the wire.
@Schema(
        name = "Workload",
        description = "What is asked of the deployment. Exactly one of `input_length` and `length_distribution`,"
                + " and of `output_length` and `output_distribution`.")
public record WorkloadRequest(
        @Schema(description = "Input tokens of every request.", example = "3500") @Min(1) @Max(Bounds.COUNT) @Nullable
        Integer inputLength,

        @Schema(description = "Shares of input lengths, for a batch of mixed lengths.") @Valid @Nullable
        LengthDistributionRequest lengthDistribution,

        @Schema(description = "Tokens generated per request.", example = "1500") @Min(1) @Max(Bounds.COUNT) @Nullable
        Integer outputLength,

        @Schema(
                description = "Shares of output lengths, whatever the input; not with accounting `documented`. A"
                        + " batch then holds each length by how long it stays.")
        @Valid
        @Nullable
        LengthDistributionRequest outputDistribution,

        @Schema(description = "Share of the input tokens found in the prefix cache.", defaultValue = "0.0")
        @DecimalMin("0")
        @DecimalMax(value = "1", inclusive = false)
        Double prefixCacheHitRate,

        @Only(costModel = CostModelName.ANALYTIC, instead = "images are not priced")
        @Refused(in = SimulationRequest.class, says = "is given: images are not priced by cost model calibrated")
        @Schema(description = "Images that come with each request.")
        @Valid
        @Nullable
        ImageRequest image,

        @Refused(
                in = OptimizationRequest.class,
                says = "is given: simulations replay requests one by one; searches take distributions of their lengths,"
                        + " which POST /api/v1/length-distributions/from-trace makes")
        @Schema(
                description = "Requests that were served, for a simulation to replay instead of any other length; only"
                        + " in simulations.")
        @Valid
        @Nullable
        RecordedRequestsRequest requests)
        implements Composite {
    static final WorkloadRequest EMPTY = new WorkloadRequest(null, null, null, null, 0.0, null, null);

    /// Inputs of mixed lengths.
    ///
    /// @param outputLength absent where outputs are mixed too
    /// @param outputs absent where all have one length
    public static WorkloadRequest of(
            LengthDistributionRequest inputs,
            @Nullable Integer outputLength,
            @Nullable LengthDistributionRequest outputs,
            double prefixCacheHitRate) {
        return new WorkloadRequest(null, inputs, outputLength, outputs, prefixCacheHitRate, null, null);
    }

    public WorkloadRequest {
        prefixCacheHitRate = requireNonNullElse(prefixCacheHitRate, 0.0);
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (requests != null) {
            if (inputLength != null
                    || lengthDistribution != null
                    || outputLength != null
                    || outputDistribution != null) {
                broken.add(new Violation("/requests", "is given: it has the lengths, and no other may be given"));
            }
            return broken;
        }
        if ((inputLength == null) == (lengthDistribution == null)) {
            broken.add(new Violation("", "needs exactly one of input_length and length_distribution"));
        }
        if (outputLength == null && outputDistribution == null) {
            broken.add(new Violation("/output_length", "is missing: it or output_distribution is needed"));
        }
        if (outputLength != null && outputDistribution != null) {
            broken.add(new Violation("", "needs exactly one of output_length and output_distribution"));
        }
        return broken;
    }

    /// Whether requests say when they were sent.
    boolean hasTimes() {
        return requests != null && requests.hasTimes();
    }

    /// What keeps lengths from being spread: where they differ by shares there is no longest to spread them up to.
    Optional<Violation> unspread(boolean spread) {
        return spread && (lengthDistribution != null || outputDistribution != null || requests != null)
                ? Optional.of(new Violation(
                        "/traffic/length_ratio",
                        "is below 1: it spreads input_length and output_length, and "
                                + (requests == null
                                        ? "a distribution has its lengths"
                                        : "each request has its lengths")))
                : Optional.empty();
    }
}

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.workload.Workload;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Workload of the deployment, as a request states it.
@Schema(name = "Workload")
public record WorkloadRequest(
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer inputLength,
        @Valid @Nullable LengthDistributionRequest lengthDistribution,
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer outputLength,
        @Valid @Nullable LengthDistributionRequest outputDistribution,

        @Schema(defaultValue = "0.0") @DecimalMin("0") @DecimalMax(value = "1", inclusive = false)
        Double prefixCacheHitRate,

        @Only(costModel = CostModelName.ANALYTIC, instead = "images are not priced")
        @Refused(in = SimulationRequest.class, says = "is not supported with cost_model calibrated. Remove it")
        @Valid
        @Nullable
        ImageRequest image,

        @Refused(
                in = OptimizationRequest.class,
                says = "is supported in POST /api/v1/simulations only. For searches, make a length distribution with"
                        + " POST /api/v1/length-distributions/from-trace")
        @Valid
        @Nullable
        RecordedRequestsRequest requests,

        @Only(
                mode = {
                    OptimizationRequest.Mode.AGGREGATION,
                    OptimizationRequest.Mode.PD_RATIO,
                    OptimizationRequest.Mode.CAPACITY
                })
        @Refused(
                mode = OptimizationRequest.Mode.DISAGGREGATION,
                says = "is not supported in mode disaggregation. Use mode aggregation or capacity, or pd_ratio with"
                        + " cost_model calibrated")
        @Refused(
                costModel = CostModelName.ANALYTIC,
                mode = OptimizationRequest.Mode.PD_RATIO,
                says = "is not supported in mode pd_ratio with cost_model analytic. Use mode aggregation or capacity,"
                        + " or cost_model calibrated")
        @Valid
        @Nullable
        ConversationRequest conversation)
        implements Composite {
    static final WorkloadRequest EMPTY = new WorkloadRequest(null, null, null, null, 0.0, null, null, null);

    /// Inputs of mixed lengths.
    ///
    /// @param outputLength absent where outputs are mixed too
    /// @param outputs absent where all have one length
    public static WorkloadRequest of(
            LengthDistributionRequest inputs,
            @Nullable Integer outputLength,
            @Nullable LengthDistributionRequest outputs,
            double prefixCacheHitRate) {
        return new WorkloadRequest(null, inputs, outputLength, outputs, prefixCacheHitRate, null, null, null);
    }

    public WorkloadRequest {
        prefixCacheHitRate = requireNonNullElse(prefixCacheHitRate, 0.0);
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (conversation != null) {
            refuseBesideConversation(broken);
            return broken;
        }
        if (requests != null) {
            if (inputLength != null
                    || lengthDistribution != null
                    || outputLength != null
                    || outputDistribution != null) {
                broken.add(new Violation(
                        "/requests",
                        "must not be combined with input_length, length_distribution, output_length or"
                                + " output_distribution. Remove them"));
            }
            return broken;
        }
        if ((inputLength == null) == (lengthDistribution == null)) {
            broken.add(new Violation("", "must have exactly one of input_length and length_distribution"));
        }
        if (outputLength == null && outputDistribution == null) {
            broken.add(new Violation("/output_length", "is required. Set output_length or output_distribution"));
        }
        if (outputLength != null && outputDistribution != null) {
            broken.add(new Violation("", "must have exactly one of output_length and output_distribution"));
        }
        return broken;
    }

    private void refuseBesideConversation(List<Violation> broken) {
        List<String> others = new ArrayList<>();
        if (inputLength != null) {
            others.add("input_length");
        }
        if (lengthDistribution != null) {
            others.add("length_distribution");
        }
        if (outputLength != null) {
            others.add("output_length");
        }
        if (outputDistribution != null) {
            others.add("output_distribution");
        }
        if (requests != null) {
            others.add("requests");
        }
        if (!others.isEmpty()) {
            broken.add(new Violation(
                    "/conversation",
                    "must not be combined with " + String.join(", ", others) + ", as it has the lengths. Remove one"));
        }
        if (image != null) {
            broken.add(
                    new Violation("/image", "must not be combined with conversation, which is text only. Remove one"));
        }
        if (prefixCacheHitRate > 0) {
            broken.add(new Violation(
                    "/prefix_cache_hit_rate",
                    "must be 0 with workload.conversation, which determines the hit rate, got " + prefixCacheHitRate
                            + ". Remove it"));
        }
    }

    /// Returns whether requests have arrival times.
    boolean hasTimes() {
        return requests != null && requests.hasTimes();
    }

    /// Returns a violation if lengths are spread that differ by shares: they have no longest one to spread up
    /// to.
    Optional<Violation> unspread(boolean spread) {
        String whose = ownLengths();
        return spread && whose != null
                ? Optional.of(new Violation(
                        "/traffic/random_range_ratio", "must be 1, as " + whose + " has its own lengths. Remove it"))
                : Optional.empty();
    }

    private @Nullable String ownLengths() {
        if (requests != null) {
            return "each request";
        }
        if (conversation != null) {
            return "each turn";
        }
        return lengthDistribution != null || outputDistribution != null ? "a distribution" : null;
    }

    /// Images that come with each request, as they come over the wire.
    @Schema(name = "Image")
    public record ImageRequest(
            @Min(1) @Max(Bounds.COUNT) @Nullable Integer batchSize,
            @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer height,
            @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer width) {

        public Workload.Images toImages() {
            return new Workload.Images(batchSize, requireNonNull(height), requireNonNull(width));
        }
    }
}

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.EstimateRequest.ParallelRequest;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.catalog.DeviceDocument;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances in a simulation, as they come over the wire.
@Schema(name = "SimulatedPairs")
public record SimulatedPairRequest(
        @Required @Valid @Nullable SideRequest prefill,
        @Required @Valid @Nullable SideRequest decode,
        @Valid @Nullable KvTransferRequest kvTransfer) {
    /// Most ranks of a side: each request looks at all of them.
    static final int MOST_RANKS = 1024;

    /// Equal instances of one phase.
    @Schema(name = "SimulatedInstances")
    public record SideRequest(
            @Size(min = 1, max = 256) @Nullable String device,
            @Valid ParallelRequest parallel,

            @Schema(defaultValue = "1") @Min(1) @Max(SimulatedPairRequest.MOST_RANKS)
            Integer instances)
            implements Composite {
        public SideRequest {
            parallel = requireNonNullElse(parallel, ParallelRequest.DEFAULT);
            instances = requireNonNullElse(instances, 1);
        }

        @Override
        public List<Violation> inconsistencies() {
            long ranks = (long) instances * requireNonNullElse(parallel.dp(), 1);
            return ranks <= MOST_RANKS || instances > MOST_RANKS // The latter breaks a rule of its own.
                    ? List.of()
                    : List.of(new Violation(
                            "/instances",
                            "must be at most " + MOST_RANKS / requireNonNullElse(parallel.dp(), 1)
                                    + " with parallel.dp " + parallel.dp() + ", got " + instances));
        }
    }

    /// One instance of a side, as a deployment of its own.
    ///
    /// @param drafting whether its steps draft what the request says
    public record Instance(SimulationRequest request, SideRequest side, boolean drafting)
            implements CalibratedDeploymentRequest {
        @Override
        public @Nullable String modelId() {
            return request.modelId();
        }

        @Override
        public @Nullable Map<String, @Nullable Object> modelConfig() {
            return request.modelConfig();
        }

        @Override
        public String device() {
            return requireNonNullElse(side.device, request.device());
        }

        @Override
        public @Nullable DeviceDocument deviceProfile() {
            return device().equals(request.device()) ? request.deviceProfile() : null;
        }

        @Override
        public @Nullable Integer numDevices() {
            return null;
        }

        @Override
        public ParallelRequest parallel() {
            return side.parallel;
        }

        @Override
        public QuantizationRequest quantization() {
            return request.quantization();
        }

        @Override
        public @Nullable EngineRequest engine() {
            return request.engine();
        }

        @Override
        public @Nullable Double bandCoverage() {
            return request.bandCoverage();
        }

        @Override
        public @Nullable SpeculationRequest speculation() {
            return drafting ? request.speculation() : null;
        }

        @Override
        public boolean servesApart() {
            return true;
        }

        @Override
        public long allDevices() {
            return side.instances * replicaDevices();
        }
    }
}

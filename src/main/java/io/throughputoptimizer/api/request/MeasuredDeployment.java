package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.EstimateRequest.ParallelRequest;
import io.throughputoptimizer.catalog.DeviceDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What requests with cost model `calibrated` say about one deployment.
interface MeasuredDeployment {
    @Nullable
    String modelId();

    @Nullable
    Map<String, @Nullable Object> modelConfig();

    String device();

    @Nullable
    DeviceDocument deviceProfile();

    @Nullable
    Integer numDevices();

    ParallelRequest parallel();

    QuantizationRequest quantization();

    @Nullable
    EngineRequest engine();

    @Nullable
    Double bandCoverage();

    /// Attention data parallel ranks of a replica; 1 where fewer are given, which breaks a rule of its own.
    default int dataParallel() {
        return Math.max(1, requireNonNullElse(parallel().dp(), 1));
    }

    /// Tensor parallel ranks: what is left of the devices, unless given; likewise.
    default int tensorParallel() {
        Integer devices = numDevices();
        return Math.max(1, requireNonNullElse(parallel().tp(), devices == null ? 1 : devices / dataParallel()));
    }

    /// Devices of a replica.
    default long replicaDevices() {
        return (long) tensorParallel() * dataParallel();
    }

    /// Devices of all replicas.
    default long allDevices() {
        Integer devices = numDevices();
        return devices == null ? replicaDevices() : devices;
    }

    /// Rules that need no catalogue.
    default List<Violation> measuredInconsistencies() {
        List<Violation> broken = new ArrayList<>();
        EngineRequest engine = engine();
        if (engine == null) {
            broken.add(new Violation("/engine", "is missing: cost model calibrated needs it, with a backend"));
        } else if (engine.backend() != null) {
            broken.addAll(engine.backend().several("/engine/backend"));
        }
        QuantizationRequest quantization = quantization();
        if (quantization.scheme() == null) {
            broken.add(new Violation("/quantization/scheme", "is missing: cost model calibrated needs it"));
        } else {
            broken.addAll(quantization.scheme().several("/quantization/scheme"));
            refuse(broken, "/quantization/linear", quantization.linear(), "the scheme says it");
            refuse(broken, "/quantization/non_expert_linear", quantization.nonExpertLinear(), "the scheme says it");
            refuse(broken, "/quantization/checkpoint", quantization.checkpoint(), "the scheme says it");
            refuse(broken, "/quantization/attention", quantization.attention(), "engine.kv_cache says it");
            refuse(broken, "/quantization/mxfp4_group_size", quantization.mxfp4GroupSize(), "the scheme says it");
        }
        refuse(broken, "/parallel/moe_dp", parallel().moeDp(), "replicas of experts are not priced");
        Integer dcp = parallel().dcp();
        refuse(
                broken,
                "/parallel/dcp",
                dcp == null || dcp == 1 ? null : dcp,
                "ranks that share the KV cache of a sequence are not priced");
        broken.addAll(BandCoverage.broken(bandCoverage()));
        return broken;
    }

    /// Reports a member of cost model `analytic`.
    static void refuse(List<Violation> broken, String pointer, @Nullable Object value, String instead) {
        if (value != null) {
            broken.add(
                    new Violation(pointer, "is given: only cost model analytic takes it; with calibrated " + instead));
        }
    }
}

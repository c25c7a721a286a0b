package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.EstimateRequest.ParallelRequest;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.Speculation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Fields that describe one deployment in requests with cost model `calibrated`.
public interface CalibratedDeploymentRequest {
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

    @Nullable
    SpeculationRequest speculation();

    /// Returns whether each instance does one phase only.
    default boolean servesApart() {
        return false;
    }

    /// Returns the draft tokens of decode steps; absent without speculative decoding.
    default @Nullable Speculation drafted() {
        SpeculationRequest asked = speculation();
        return asked == null ? null : asked.toSpeculations().getFirst();
    }

    /// Tokens of a request that a decode step computes: the next one and the drafts, of a request that keeps the rules
    /// on its records.
    default int decodeTokens() {
        SpeculationRequest asked = speculation();
        return asked == null ? 1 : 1 + asked.mostDrafts();
    }

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
        if (engine != null) {
            if (engine.backend() != null) {
                broken.addAll(engine.backend().several("/engine/backend"));
            }
            broken.addAll(engine.inconsistencies());
        }
        PerDevice<Scheme> scheme = quantization().scheme();
        if (scheme != null) {
            broken.addAll(scheme.several("/quantization/scheme"));
        }
        SpeculationRequest drafting = speculation();
        if (drafting != null) {
            broken.addAll(drafting.several("/speculation"));
        }
        broken.addAll(BandCoverage.broken(bandCoverage()));
        return broken;
    }
}

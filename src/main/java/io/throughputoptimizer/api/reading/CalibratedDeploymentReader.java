package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.BandCoverage;
import io.throughputoptimizer.api.request.CalibratedDeploymentRequest;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.Pointers;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredQuantization;
import io.throughputoptimizer.core.replica.RankLimits;
import java.util.List;
import java.util.Optional;

/// Turns a [CalibratedDeploymentRequest] that keeps the rules on its records into one that can be priced.
final class CalibratedDeploymentReader {
    private final Catalogs catalogs;
    private final CatalogLookup lookup;

    CalibratedDeploymentReader(Catalogs catalogs) {
        this.catalogs = catalogs;
        this.lookup = new CatalogLookup(catalogs);
    }

    /// @param engine engine with the backend's defaults filled in
    record Deployed(CalibratedDeployment deployment, RankLimits limits, EngineRequest engine, Coverage coverage) {
        /// @throws InvalidRequestException if the memory of a rank is unknown
        void requireMemory() {
            deployment.servingObstacle().ifPresent(obstacle -> {
                throw new InvalidRequestException(List.of(Pointers.inDeployment(obstacle)));
            });
        }
    }

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    Deployed read(CalibratedDeploymentRequest request) {
        Optional<ModelArchitecture> model = lookup.model(request.modelId(), request.modelConfig());
        Optional<Calibration> calibration = calibration(request);
        EngineRequest given = requireNonNull(request.engine());
        Optional<Engine> usual = lookup.engine("/engine/backend", given.backend(request.device()));
        lookup.throwIfAny();
        Scheme scheme = scheme(request, model.orElseThrow());
        Engine known = request.servesApart() ? usual.orElseThrow().apart() : usual.orElseThrow();
        EngineRequest engine = given.completed(known.serving(model.orElseThrow()), scheme);
        CalibratedDeployment deployment = new CalibratedDeployment(
                        model.orElseThrow(),
                        calibration.orElseThrow(),
                        layout(request, model.orElseThrow()),
                        engine.toEngine(known).with(given.memorySettings()),
                        engine.toPrecision(scheme, isAsStored(request)))
                .with(request.drafted());
        given.check(model.orElseThrow(), lookup);
        deployment.obstacle().map(Pointers::inDeployment).ifPresent(lookup::refuse);
        lookup.throwIfAny();
        return new Deployed(deployment, engine.toLimits(), engine, BandCoverage.of(request.bandCoverage()));
    }

    /// Returns whether weights take the memory of the checkpoint: on request, or because there is no scheme.
    private static boolean isAsStored(CalibratedDeploymentRequest request) {
        return request.quantization().isOfCheckpoint() || request.quantization().scheme() == null;
    }

    /// The scheme of the request, or that of the checkpoint.
    private Scheme scheme(CalibratedDeploymentRequest request, ModelArchitecture model) {
        if (request.quantization().scheme() != null) {
            return request.quantization().scheme(request.device());
        }
        Optional<Scheme> own = Scheme.of(model);
        if (own.isEmpty()) {
            StoredQuantization stored = model.stored();
            lookup.refuse(
                    "/quantization/scheme",
                    "is required: kernels of no scheme are like the checkpoint of " + model.id()
                            + (stored == null || stored.reason() == null ? "" : ": " + stored.reason()));
        }
        lookup.throwIfAny();
        return own.orElseThrow();
    }

    private Optional<Calibration> calibration(CalibratedDeploymentRequest request) {
        DeviceDocument profile = request.deviceProfile();
        Optional<DeviceProfile> device = profile == null
                ? lookup.device("/device", request.device())
                : lookup.inlineDevice("/device_profile", profile);
        if (device.isEmpty()) {
            return Optional.empty();
        }
        String devices = request.numDevices() == null ? "/parallel" : "/num_devices";
        device.get().obstacle(request.allDevices()).ifPresent(reason -> lookup.refuse(devices, reason));
        return profile == null ? known(request.device()) : own(profile);
    }

    private Optional<Calibration> known(String device) {
        Optional<Calibration> calibration = catalogs.calibrationOf(device);
        if (calibration.isEmpty()) {
            lookup.refuseUncalibrated("/device", device);
        }
        return calibration;
    }

    private Optional<Calibration> own(DeviceDocument profile) {
        if (profile.calibration() == null) {
            lookup.refuse("/device_profile/calibration", "is required with cost_model calibrated");
            return Optional.empty();
        }
        return lookup.inlineCalibration("/device_profile", profile);
    }

    /// Experts are spread over all devices of a replica unless the request says otherwise.
    private ParallelLayout layout(CalibratedDeploymentRequest request, ModelArchitecture model) {
        int tp = request.tensorParallel();
        int dp = request.dataParallel();
        Integer given = request.parallel().ep();
        int ep = given == null || model.experts().isEmpty() ? tp * dp : given;
        if (tp * dp % ep != 0) {
            lookup.refuse("/parallel/ep", "must divide tp * dp (" + tp * dp + "), got " + ep);
            lookup.throwIfAny();
        }
        return CalibratedDeployment.layout(model, tp, dp, ep);
    }
}

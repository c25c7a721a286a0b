package io.throughputoptimizer.api;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Optional;

/// Turns an [EstimateRequest] that keeps the rules on its records into a pass that can be priced.
public final class EstimateReader {
    private final Catalogs catalogs;

    public EstimateReader(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// A pass to price: arguments of [io.throughputoptimizer.core.forward.ForwardEstimator].
    public record Pass(Deployment deployment, ForwardShape shape) {}

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public Pass read(EstimateRequest request) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        Optional<ModelArchitecture> model = lookup.model(request.modelId(), request.modelConfig());
        lookup.requireNoDraftTokens("/num_mtp_tokens", request.numMtpTokens(), model);
        Optional<DeviceProfile> device = request.deviceProfile() == null
                ? lookup.device("/device", request.device())
                : lookup.inlineDevice("/device_profile", request.deviceProfile());
        device.ifPresent(known -> lookup.requireRoom("/num_devices", known, request.numDevices()));
        lookup.throwIfAny();
        int tp = request.tensorParallel();
        int dp = request.numDevices() / tp;
        Deployment deployment = new Deployment(
                model.orElseThrow(),
                device.orElseThrow(),
                ParallelLayout.dense(tp, dp),
                request.quantization().toScheme(),
                new Deployment.Execution(
                        request.compile(), request.numMtpTokens(), request.reservedMemoryGb() * MemoryFootprint.GIB));
        deployment.obstacle().ifPresent(obstacle -> lookup.refuse("/parallel/tp", obstacle));
        lookup.throwIfAny();
        return new Pass(deployment, request.pass().toShape(dp));
    }
}

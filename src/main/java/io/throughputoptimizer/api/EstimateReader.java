package io.throughputoptimizer.api;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.FeedForwardSpec;
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
        model.ifPresent(known ->
                lookup.requireModelled("", known, request.quantization().toScheme(), request.toExecution()));
        Optional<DeviceProfile> device = request.deviceProfile() == null
                ? lookup.device("/device", request.device())
                : lookup.inlineDevice("/device_profile", request.deviceProfile());
        device.ifPresent(known -> lookup.requireRoom("/num_devices", known, request.numDevices()));
        lookup.throwIfAny();
        Deployment deployment = new Deployment(
                model.orElseThrow(),
                device.orElseThrow(),
                layout(request, model.orElseThrow(), lookup),
                request.quantization().toScheme(),
                request.toExecution());
        deployment.obstacle().ifPresent(obstacle -> lookup.refuse("/parallel/tp", obstacle));
        lookup.throwIfAny();
        return new Pass(deployment, request.pass().toShape(deployment.layout().dp()));
    }

    /// The layout asked for; what remains of the devices beside `ep * moe_dp` shares each expert.
    private static ParallelLayout layout(EstimateRequest request, ModelArchitecture model, CatalogLookup lookup) {
        int devices = request.numDevices();
        int tp = request.tensorParallel();
        ParallelLayout dense = ParallelLayout.dense(tp, devices / tp);
        return switch (model.feedForward()) {
            case FeedForwardSpec.Dense _ -> dense;
            case FeedForwardSpec.RoutedExperts _ -> {
                long ep = request.expertParallel();
                long moeDp = request.expertReplicas();
                if (devices % ep != 0) {
                    lookup.refuse("/parallel/ep", "is " + ep + ": it must divide num_devices " + devices);
                } else if (devices % (ep * moeDp) != 0) {
                    lookup.refuse(
                            "/parallel/moe_dp",
                            "is " + moeDp + ": times ep " + ep + " it must divide num_devices " + devices);
                }
                lookup.throwIfAny();
                int moeTp = (int) (devices / (ep * moeDp));
                yield new ParallelLayout(tp, 1, dense.dp(), new ExpertLayout((int) ep, moeTp, (int) moeDp));
            }
        };
    }
}

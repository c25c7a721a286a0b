package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.CalibratedDeploymentReader.Deployed;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.PassRequest;
import io.throughputoptimizer.api.request.Pointers;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.request.SpeculationRequest;
import io.throughputoptimizer.api.request.SubmittedEstimate;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelSplit;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.RankPass;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Turns an [EstimateRequest] that keeps the rules on its records into a pass that can be priced.
public final class EstimateReader {
    private final Catalogs catalogs;
    private final CostModelResolver costModels;

    public EstimateReader(Catalogs catalogs) {
        this.catalogs = catalogs;
        this.costModels = new CostModelResolver(catalogs);
    }

    /// Returns the request with the catalog name of its device and a chosen cost model.
    public EstimateRequest resolved(SubmittedEstimate asked) {
        return costModels.resolved(named(asked.request()), asked.given());
    }

    /// Returns the reason for the cost model, or empty if the request states the cost model.
    public Optional<CostModelResolver.Choice> choice(SubmittedEstimate asked) {
        return costModels.choice(named(asked.request()), asked.given());
    }

    /// A pass to price: arguments of [io.throughputoptimizer.core.forward.ForwardEstimator].
    public record Pass(Deployment deployment, ForwardShape shape) {}

    /// A pass to price with measured kernels.
    ///
    /// @param cacheTokens tokens of requests like those of the pass that the KV cache of a rank holds;
    ///     infinite where the memory is unknown
    /// @param memory memory of a rank; absent where the law does not cover it
    /// @param engine engine with the backend's defaults filled in
    /// @param speculation speculation of the request; null if not set
    public record CalibratedPass(
            CalibratedDeployment deployment,
            RankPass pass,
            double cacheTokens,
            @Nullable RankMemory memory,
            EngineRequest engine,
            Coverage coverage,
            @Nullable SpeculationRequest speculation) {}

    private EstimateRequest named(EstimateRequest request) {
        return new DeviceNames(catalogs.devices()).withNames(request);
    }

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public CalibratedPass readCalibrated(EstimateRequest request) {
        Deployed deployed = new CalibratedDeploymentReader(catalogs).read(request);
        CatalogLookup lookup = new CatalogLookup(catalogs);
        new ContextRules(deployed.deployment().model(), request.goesBeyondContext(), lookup).check(request.pass(), 0);
        lookup.throwIfAny();
        CalibratedDeployment deployment = deployed.deployment();
        RankPass pass = request.pass().toRankPass(request.dataParallel());
        RankMemory memory = CalibratedMemory.isSpecified(deployment)
                ? CalibratedMemory.of(deployment, deployment.engine().memorySettings())
                : null;
        Double stated = deployed.limits().cacheTokens();
        return new CalibratedPass(
                deployment,
                pass,
                memory != null && (stated == null || !memory.cache().isUniform())
                        ? cacheTokens(memory, pass.context())
                        : requireNonNullElse(stated, Double.POSITIVE_INFINITY),
                memory,
                deployed.engine(),
                deployed.coverage(),
                request.speculation());
    }

    private static double cacheTokens(RankMemory memory, double context) {
        return memory.usableBytes() / memory.cache().heldBytes(context) * context;
    }

    /// Reads the memory of a rank for a request whose pass has no price.
    ///
    /// @param unpriced the reasons
    /// @throws InvalidRequestException if the memory is unknown too
    public UnpricedPass readMemory(EstimateRequest request, InvalidRequestException unpriced) {
        return new MemoryReader(catalogs).read(request, unpriced);
    }

    /// Memory of a rank whose passes have no price.
    ///
    /// @param reason reason why there is no price
    public record UnpricedPass(RankMemory memory, RankPass pass, EngineRequest engine, String reason) {}

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public Pass read(EstimateRequest request) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        Optional<ModelArchitecture> model = lookup.model(request.modelId(), request.modelConfig());
        Optional<DeviceProfile> device = request.deviceProfile() == null
                ? lookup.device("/device", request.device())
                : lookup.inlineDevice("/device_profile", request.deviceProfile());
        lookup.throwIfAny();
        Deployment deployment = deployment(request, model.orElseThrow(), device.orElseThrow(), lookup);
        ForwardShape shape = request.pass().toShape(deployment.layout().dp());
        deployment.obstacle().map(Pointers::inEstimate).ifPresent(lookup::refuse);
        PassRequest.missingDrafts(shape, request.toExecution().mtpTokens())
                .forEach(violation -> lookup.refuse(violation.under("/pass")));
        new ContextRules(deployment.model(), request.goesBeyondContext(), lookup)
                .check(request.pass(), imageTokens(shape, deployment.model()));
        lookup.throwIfAny();
        return new Pass(deployment, shape);
    }

    private static double imageTokens(ForwardShape shape, ModelArchitecture model) {
        return shape instanceof ForwardShape.Uniform uniform && uniform.images() != null
                ? uniform.images().tokens(model)
                : 0;
    }

    /// The deployment asked for, if it can be said at all.
    private static Deployment deployment(
            EstimateRequest request, ModelArchitecture model, DeviceProfile device, CatalogLookup lookup) {
        ParallelSplit split = request.toSplit();
        lookup.refuseOverlooked(request.pass().image(), model, "/pass/image");
        QuantizationRequest filledIn = request.quantization().filledIn(model, lookup);
        lookup.throwIfAny();
        QuantizationScheme quantization = filledIn.toScheme();
        Execution execution = request.toExecution();
        device.obstacle(split.devices()).ifPresent(reason -> lookup.refuse("/num_devices", reason));
        Stream.of(execution.obstacles(model, quantization), split.obstacles(model))
                .flatMap(List::stream)
                .map(Pointers::inEstimate)
                .forEach(lookup::refuse);
        lookup.throwIfAny();
        return new Deployment(model, device, split.layout(model), quantization, execution);
    }
}

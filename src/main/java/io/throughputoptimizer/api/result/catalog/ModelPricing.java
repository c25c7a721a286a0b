package io.throughputoptimizer.api.result.catalog;

import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.result.catalog.ModelResponse.PricingResponse;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.StateType;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Support of a model by the cost models. Calls the code that rejects requests and flags prices instead of listing
/// models.
public final class ModelPricing {
    private static final String IMAGES = "images";
    private static final String STEADY = "steady";
    private static final String WINDOWS = "windows";
    private static final String CONTEXT = "context";

    private final List<Calibration> devices;
    private final List<Engine> engines;

    /// @param devices calibrated devices
    /// @param engines engines to consider on them
    public ModelPricing(Collection<Calibration> devices, Collection<Engine> engines) {
        this.devices = List.copyOf(devices);
        this.engines = List.copyOf(engines);
    }

    /// One of each cost model.
    public List<PricingResponse> of(ModelArchitecture model) {
        return Stream.of(CostModelName.values())
                .map(name -> obstacle(name, model)
                        .map(obstacle -> PricingResponse.refused(name, reason(model, obstacle)))
                        .orElseGet(() -> switch (name) {
                            case ANALYTIC -> analytic(model);
                            case CALIBRATED -> calibrated(model);
                        }))
                .toList();
    }

    /// Returns why a cost model does not support a model with any accounting or device, or empty if it does.
    static Optional<Obstacle> obstacle(CostModelName costModel, ModelArchitecture model) {
        return switch (costModel) {
            case ANALYTIC -> ModelResponse.SupportResponse.obstacle(model);
            case CALIBRATED -> CalibratedDeployment.obstacle(model);
        };
    }

    private static PricingResponse analytic(ModelArchitecture model) {
        return PricingResponse.priced(
                CostModelName.ANALYTIC,
                Stream.of(windows(model).stream(), context(model), images(model).stream())
                        .flatMap(flags -> flags)
                        .toList());
    }

    private PricingResponse calibrated(ModelArchitecture model) {
        return leastFlags(model)
                .map(flags -> PricingResponse.priced(
                        CostModelName.CALIBRATED,
                        Stream.concat(flags.stream().map(Flag::label), images(model).stream())
                                .toList()))
                .orElseGet(() -> PricingResponse.refused(
                        CostModelName.CALIBRATED, "no measured device runs it in any scheme of cost model calibrated"));
    }

    /// Obstacles are worded for the member that names the model.
    private static String reason(ModelArchitecture model, Obstacle obstacle) {
        String subject = "is " + model.id() + ": ";
        return obstacle.reason().startsWith(subject)
                ? obstacle.reason().substring(subject.length())
                : obstacle.reason();
    }

    /// Returns the fewest flags over all calibrated devices, engines and schemes on one device; prefers those with
    /// a prediction interval.
    private Optional<Set<Flag>> leastFlags(ModelArchitecture model) {
        CacheType cache = model.compressed().isPresent() ? CacheType.FP8 : CacheType.BF16;
        return devices.stream()
                .flatMap(calibration -> engines.stream()
                        .flatMap(engine -> Stream.of(Scheme.values())
                                .filter(scheme -> !scheme.setsExpertsApart()
                                        || model.experts().isPresent())
                                .map(scheme -> new CalibratedDeployment(
                                        model,
                                        calibration,
                                        CalibratedDeployment.layout(model, 1, 1, 1),
                                        engine,
                                        new Precision(scheme, cache, StateType.FLOAT32, false)))))
                .filter(deployment -> deployment.obstacle().isEmpty())
                .map(deployment ->
                        Flag.of(deployment, CalibratedPass.of(deployment).unexpectedBases(), false))
                .min(Comparator.comparing((Set<Flag> flags) -> flags.contains(Flag.UNCALIBRATED))
                        .thenComparingInt(Set::size));
    }

    /// Returns a note if the reference has no price of windows, or prices these layers as if they attended to all
    /// tokens.
    private static Optional<String> windows(ModelArchitecture model) {
        return model.window().map(_ -> ModelFamily.overlooksWindows(model.family()) ? WINDOWS : STEADY);
    }

    /// Returns a note if the reference prices passes as if they had no context.
    private static Stream<String> context(ModelArchitecture model) {
        return model.projects(AttentionSpec.Projections.COPIED) ? Stream.of(CONTEXT) : Stream.empty();
    }

    private static List<String> images(ModelArchitecture model) {
        return ModelFamily.overlooksImages(model.family()) ? List.of(IMAGES) : List.of();
    }
}

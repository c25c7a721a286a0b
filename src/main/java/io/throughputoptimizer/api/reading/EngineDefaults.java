package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.capacity.CapacityProblem;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.NearestQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.deployment.UnratedWork;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Number formats that an engine takes by default, where the request leaves them to the service's defaults. Holds
/// the same question with the checkpoint's number formats.
///
/// @param weights as quantizations name them; absent where those assumed are the engine's or asked for
/// @param cache of the KV cache, likewise
/// @param question the same with these; empty where it cannot be priced
public record EngineDefaults(
        @Nullable String weights, @Nullable String cache, Supplier<Optional<SearchQuestion>> question) {

    /// Returns the defaults, or empty if the request sets the formats or they are the engine's defaults.
    public static Optional<EngineDefaults> of(SearchQuestion question, ExplicitFields asked) {
        return switch (question) {
            case SearchQuestion.Analytic(var problem, var _, var _, var others) ->
                modelled(
                        problem.model(),
                        problem.devices(),
                        problem.search(),
                        asked,
                        search -> new SearchQuestion.Analytic(problem.with(search), false, false, others));
            case SearchQuestion.Capacity(CapacityProblem problem, var _) ->
                modelled(
                        problem.model(),
                        problem.devices(),
                        problem.search(),
                        asked,
                        search ->
                                new SearchQuestion.Capacity(problem.with(search).checked(), false));
            case SearchQuestion.Calibrated(var problem, var _, var alternatives) ->
                measured(problem, asked, other -> new SearchQuestion.Calibrated(other, false, alternatives));
            case SearchQuestion.MeasuredCapacity(var problem) ->
                measured(problem.measured(), asked, other -> new SearchQuestion.MeasuredCapacity(problem.with(other)));
        };
    }

    /// A question from what differs.
    @FunctionalInterface
    private interface Asking<T> {
        SearchQuestion with(T changed);
    }

    private static Optional<EngineDefaults> measured(
            CalibratedProblem problem, ExplicitFields asked, Asking<CalibratedProblem> question) {
        Optional<CacheType> own = asked.namesCache() ? Optional.empty() : CacheType.unlessTold(problem.model());
        return own.filter(cache -> problem.devices().stream()
                        .anyMatch(device -> device.precision().cache() != cache))
                .map(cache -> new EngineDefaults(
                        null,
                        cache.name(),
                        () -> problem.devices().stream().anyMatch(CalibratedDevice::isCorrected)
                                ? Optional.empty()
                                : Optional.of(question.with(problem.with(with(problem.devices(), cache))
                                        .with(problem.demand().withoutSimulatedRows())))));
    }

    private static List<CalibratedDevice> with(List<CalibratedDevice> devices, CacheType cache) {
        return devices.stream()
                .map(device -> device.with(new Precision(
                        device.precision().scheme(), cache, device.precision().state(), false)))
                .toList();
    }

    private static Optional<EngineDefaults> modelled(
            ModelArchitecture model,
            List<DeviceProfile> devices,
            OptimizationProblem.Search search,
            ExplicitFields asked,
            Asking<OptimizationProblem.Search> question) {
        QuantizationAxis assumed = search.axes().quantization();
        Optional<QuantizationScheme> stored = stored(model);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        QuantizationAxis own = QuantizationAxis.of(stored.get());
        boolean keepsWeights = asked.namesWeights();
        boolean keepsCache = asked.namesCache() || CacheType.unlessTold(model).isEmpty();
        QuantizationAxis changed = new QuantizationAxis(
                keepsWeights ? assumed.linear() : own.linear(),
                keepsWeights ? assumed.nonExpertLinear() : own.nonExpertLinear(),
                keepsCache ? assumed.attention() : own.attention(),
                keepsWeights ? assumed.mxfp4GroupSize() : own.mxfp4GroupSize());
        boolean otherWeights = !changed.linear().equals(assumed.linear())
                || !changed.nonExpertLinear().equals(assumed.nonExpertLinear());
        boolean otherCache = !changed.attention().equals(assumed.attention());
        return otherWeights || otherCache
                ? Optional.of(new EngineDefaults(
                        otherWeights ? weights(stored.get()) : null,
                        otherCache ? stored.get().attention().name() : null,
                        () -> takesNoTime(model, devices, changed.first())
                                ? Optional.empty()
                                : possible(search.with(search.axes().with(changed)), question)))
                : Optional.empty();
    }

    /// Returns the quantization of the checkpoint, or empty if it cannot be priced.
    private static Optional<QuantizationScheme> stored(ModelArchitecture model) {
        return model.stored() == null
                ? Optional.of(new QuantizationScheme(
                        LinearQuantization.DISABLED,
                        AttentionQuantization.DISABLED,
                        QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE))
                : NearestQuantization.of(model).map(NearestQuantization::scheme);
    }

    private static String weights(QuantizationScheme scheme) {
        return requireNonNullElse(scheme.nonExpertLinear(), scheme.linear()) == scheme.linear()
                ? scheme.linear().name()
                : scheme.linear() + " in routed experts and " + scheme.nonExpertLinear() + " elsewhere";
    }

    /// Returns whether some work would take no time because a device lists no rate for it.
    private static boolean takesNoTime(
            ModelArchitecture model, List<DeviceProfile> devices, QuantizationScheme scheme) {
        return devices.stream()
                .flatMap(device -> UnratedWork.of(model, device, scheme).stream())
                .anyMatch(work -> work.pricedAs() == null);
    }

    private static Optional<SearchQuestion> possible(
            OptimizationProblem.Search changed, Asking<OptimizationProblem.Search> question) {
        try {
            return Optional.of(question.with(changed));
        } catch (InvalidProblemException _) {
            return Optional.empty();
        }
    }
}

package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.reading.EngineDefaults;
import io.throughputoptimizer.api.reading.ExplicitFields;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.AssumptionMessages;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse.DefaultFigureResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse.EngineDefaultResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse.Subject;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Assumptions about servers and requests, worded by [AssumptionMessages], with the defaults of the engine.
///
/// @param request with everything filled in
/// @param asked what of it the caller named
/// @param costModelReason clause that says why the service chose the cost model; absent if the request states it
/// @param byDefault what differs where an engine is told nothing; absent where nothing does
/// @param caveats what to know before trusting figures on the devices, by their names
public record Assumptions(
        OptimizationRequest request,
        ExplicitFields asked,
        @Nullable String costModelReason,
        @Nullable ByDefault byDefault,
        Map<String, List<String>> caveats) {

    /// Answer with the defaults of the engine.
    ///
    /// @param answer to the same question with that; absent where it was not searched
    /// @param notSearched the reason, where the caller asked for the search
    public record ByDefault(
            EngineDefaults defaults,
            @Nullable ResultResponse answer,
            @Nullable String notSearched) {

        private Told told(ResultResponse assumed, int index) {
            if (answer == null) {
                return notSearched == null ? Told.NOTHING : new Told(null, ", which was not searched: " + notSearched);
            }
            DefaultFigures figures = new DefaultFigures(assumed, answer);
            return new Told(figures.of(index), figures.words(index));
        }
    }

    /// Effect of an engine's default on a kind of device.
    ///
    /// @param words behind a clause that names the default
    private record Told(@Nullable List<DefaultFigureResponse> figures, String words) {
        private static final Told NOTHING = new Told(null, "");
    }

    /// The answer, saying what it assumes on each kind of device.
    public ResultResponse beside(ResultResponse answer) {
        return answer.with(IntStream.range(0, answer.devices().size())
                .mapToObj(index -> answer.devices().get(index).assuming(of(answer, index)))
                .toList());
    }

    private List<AssumptionResponse> of(ResultResponse answer, int index) {
        DeviceResponse device = answer.devices().get(index);
        EngineRequest engine = device.engine();
        List<AssumptionResponse> assumed = new ArrayList<>();
        Told told = byDefault == null ? Told.NOTHING : byDefault.told(answer, index);
        if (engine == null) {
            modelled(told, assumed);
        } else {
            assumed.add(plain(
                    Subject.WEIGHTS,
                    AssumptionMessages.weights(requireNonNull(device.scheme()).name()),
                    asked.namesWeights()));
            assumed.add(measuredCache(device, engine, told));
        }
        assumed.add(plain(Subject.ENGINE, engine(device, request), engine != null && asked.namesEngine()));
        assumed.add(plain(
                Subject.PREFIX_CACHE, AssumptionMessages.prefixCache(request.workload()), asked.namesPrefixCache()));
        assumed.add(plain(Subject.REQUESTS, AssumptionMessages.requests(request), true));
        assumed.add(plain(
                Subject.SPECULATIVE_DECODING,
                AssumptionMessages.drafts(request.serving(), request.speculation()),
                asked.namesDrafts()));
        if (AssumptionMessages.isMadeUp(request, device.device())) {
            assumed.add(plain(Subject.DEVICE, AssumptionMessages.MADE_UP_WORDS, true));
        }
        AssumptionMessages.kinds(device.device())
                .flatMap(kind -> caveats.getOrDefault(kind, List.of()).stream())
                .map(caveat -> plain(Subject.DEVICE, caveat, true))
                .forEach(assumed::add);
        if (costModelReason != null) {
            assumed.add(plain(Subject.COST_MODEL, costModelReason, false));
        }
        return List.copyOf(assumed);
    }

    private static AssumptionResponse plain(Subject about, String text, boolean asked) {
        return new AssumptionResponse(about, text, asked, null);
    }

    private AssumptionResponse measuredCache(DeviceResponse device, EngineRequest engine, Told told) {
        String assumed = requireNonNull(engine.kvCacheDtype()).name();
        String text = AssumptionMessages.cache(assumed);
        String own = byDefault == null ? null : byDefault.defaults.cache();
        if (byDefault == null || own == null || own.equals(assumed)) {
            return plain(Subject.KV_CACHE, text, asked.namesCache());
        }
        String backend = engine.backend(device.device());
        return new AssumptionResponse(
                Subject.KV_CACHE,
                text + ", by a flag or the checkpoint; " + backend + " alone takes " + own + told.words,
                false,
                new EngineDefaultResponse(own, told.figures, byDefault.notSearched));
    }

    private void modelled(Told told, List<AssumptionResponse> assumed) {
        QuantizationRequest quantization = request.quantization();
        String weights = AssumptionMessages.weights(quantization);
        String cache = AssumptionMessages.cache(AssumptionMessages.all(requireNonNull(quantization.attention())));
        String otherWeights = byDefault == null ? null : byDefault.defaults.weights();
        String otherCache = byDefault == null ? null : byDefault.defaults.cache();
        assumed.add(
                byDefault == null || otherWeights == null
                        ? plain(Subject.WEIGHTS, weights, asked.namesWeights())
                        : new AssumptionResponse(
                                Subject.WEIGHTS,
                                weights + ", the default of requests; the checkpoint has "
                                        + AssumptionMessages.format(otherWeights)
                                        + (otherCache == null
                                                ? ""
                                                : " and " + AssumptionMessages.format(otherCache) + " for the KV cache")
                                        + told.words,
                                false,
                                new EngineDefaultResponse(otherWeights, told.figures, byDefault.notSearched)));
        assumed.add(
                byDefault == null || otherCache == null
                        ? plain(Subject.KV_CACHE, cache, asked.namesCache())
                        : new AssumptionResponse(
                                Subject.KV_CACHE,
                                cache + ", the default of requests; the checkpoint has "
                                        + AssumptionMessages.format(otherCache)
                                        + (otherWeights == null ? told.words : ""),
                                false,
                                new EngineDefaultResponse(otherCache, told.figures, byDefault.notSearched)));
    }

    private static String engine(DeviceResponse device, OptimizationRequest request) {
        CalibrationResponse calibration = device.calibration();
        if (calibration == null) {
            return AssumptionMessages.ANY_ENGINE;
        }
        EngineRequest asked = request.engine();
        return AssumptionMessages.engine(
                calibration.backend(), calibration.versions(), asked == null ? null : asked.version());
    }
}

package io.throughputoptimizer.api.result.estimate;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.reading.EstimateReader.CalibratedPass;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.SpeculationRequest;
import io.throughputoptimizer.api.result.figure.AssumptionMessages;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse.Subject;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.deployment.UnratedWork;
import io.throughputoptimizer.core.forward.ForwardShape;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Assumptions about the server behind the price of a single pass, and warnings.
final class AssumedOfPass {
    private AssumedOfPass() {}

    static List<AssumptionResponse> of(Deployment deployment) {
        QuantizationScheme scheme = deployment.quantization();
        return List.of(
                assumed(Subject.WEIGHTS, AssumptionMessages.weights(scheme)),
                assumed(
                        Subject.KV_CACHE,
                        AssumptionMessages.cache(scheme.attention().name())),
                assumed(Subject.ENGINE, AssumptionMessages.ANY_ENGINE));
    }

    static List<AssumptionResponse> of(CalibratedPass pass) {
        EngineRequest engine = pass.engine();
        SpeculationRequest speculation = pass.speculation();
        List<AssumptionResponse> ofServer = List.of(
                assumed(
                        Subject.WEIGHTS,
                        AssumptionMessages.weights(
                                pass.deployment().precision().scheme().name())),
                assumed(
                        Subject.KV_CACHE,
                        AssumptionMessages.cache(
                                requireNonNull(engine.kvCacheDtype()).name())),
                assumed(
                        Subject.ENGINE,
                        AssumptionMessages.engine(
                                pass.deployment().engine().backend(),
                                pass.deployment().calibration().versions(),
                                engine.version())));
        return speculation == null
                ? ofServer
                : Stream.concat(
                                ofServer.stream(),
                                Stream.of(assumed(Subject.SPECULATIVE_DECODING, speculation.words())))
                        .toList();
    }

    static List<AssumptionResponse> with(List<AssumptionResponse> others, String costModelReason) {
        return Stream.concat(others.stream(), Stream.of(assumed(Subject.COST_MODEL, costModelReason)))
                .toList();
    }

    private static AssumptionResponse assumed(Subject about, String text) {
        return new AssumptionResponse(about, text, null, null);
    }

    /// @param ownProfile whether the request brings the device along
    static @Nullable List<String> warnings(Deployment deployment, ForwardShape shape, boolean ownProfile) {
        List<String> warnings = Stream.of(
                        UnratedWork.of(deployment.model(), deployment.device(), deployment.quantization()).stream()
                                .map(UnratedWork::description),
                        deployment.overlooked().stream(),
                        deployment
                                .extrapolatedSelection(
                                        shape.decoding(deployment.layout().dp()))
                                .stream(),
                        AssumptionMessages.isMadeUp(deployment.device().name(), ownProfile)
                                ? Stream.of(AssumptionMessages.MADE_UP_WORDS)
                                : Stream.<String>empty(),
                        deployment.device().caveats().stream())
                .flatMap(texts -> texts)
                .toList();
        return warnings.isEmpty() ? null : warnings;
    }
}

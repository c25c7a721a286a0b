package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.RequestMix;
import java.util.List;

/// Disaggregated prefill of prompts of unequal length in one pass (disaggregation, mixed batch).
///
/// Each data parallel rank holds `ceil(C / dp)` requests, divided over the lengths by the largest remainder.
/// `ttft = pass + servingCost` in ms; throughput is `sum(inputTokens * samples) * dp / ttft * 1000`.
final class MixedPrefillServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final RequestMix mix;
    private final ForwardEstimator estimator;

    MixedPrefillServing(Deployment deployment, ServingTerms terms, RequestMix mix, ForwardEstimator estimator) {
        this.deployment = deployment;
        this.terms = terms;
        this.mix = mix;
        this.estimator = estimator;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        int ranks = deployment.layout().dp();
        List<LengthSamples> samples = mix.allocate(Math.ceilDiv(load.concurrency(), ranks));
        ForwardEstimate pass = estimator.estimate(deployment, shape(samples));
        double millis = pass.latencyMillis() + terms.servingCostMillis();
        long tokens = samples.stream()
                        .mapToLong(part -> part.length().inputTokens() * part.samples())
                        .sum()
                * ranks;
        double tokensPerSecond = millis > 0 ? tokens / millis * 1000 : 0;
        return new ServingPoint(
                load,
                Figures.of(millis, null, tokensPerSecond, deployment.layout()),
                PhaseCosts.ofPrefill(pass.breakdown().shares(), pass.memory()),
                1,
                samples);
    }

    private static ForwardShape shape(List<LengthSamples> samples) {
        return new ForwardShape.RequestList(samples.stream()
                .map(part -> {
                    int queryLength = part.length().queryLength();
                    return new ForwardShape.Group(part.samples(), Request.prefill(queryLength, queryLength));
                })
                .toList());
    }
}

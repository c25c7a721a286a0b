package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import java.util.List;

/// Disaggregated decode (disaggregation, decode and MTP).
///
/// `tpot = (pass + servingCost) / A` in ms, where a pass yields `A` tokens per request on average
/// ([io.throughputoptimizer.core.deployment.Speculation#tokensPerStep()]); the serving cost is divided too, as the
/// reference has it. Throughput is `C / tpot * 1000` output tokens per second; TTFT is absent.
final class DecodeServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final ForwardEstimator estimator;

    DecodeServing(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        this.deployment = deployment;
        this.terms = terms;
        this.estimator = estimator;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        ForwardEstimate pass = estimator.estimate(deployment, shape(load));
        double millis = (pass.latencyMillis() + terms.servingCostMillis())
                / terms.speculation().tokensPerStep();
        double tokensPerSecond = millis > 0 ? load.concurrency() / millis * 1000 : 0;
        return new ServingPoint(
                load,
                Figures.of(null, millis, tokensPerSecond, deployment.layout()),
                PhaseCosts.ofDecode(pass.breakdown().shares(), pass.memory()),
                0,
                List.of());
    }

    private ForwardShape shape(Load load) {
        int queryLength = terms.speculation().decodeQueryLength();
        int sequenceLength = terms.workload().decodeSequenceLength(queryLength);
        return new ForwardShape.Uniform(
                load.concurrency(),
                Request.decode(queryLength, sequenceLength),
                RequestImages.of(terms.workload(), load));
    }
}

package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import java.util.List;

/// Disaggregated decode (disaggregation, decode and MTP).
///
/// `tpot = (pass + servingCost) / A` in ms, where a pass yields `A` tokens per request on average
/// ([DraftAcceptance#tokensPerStep]); the serving cost is divided too, as the
/// reference has it. Throughput is `C / tpot * 1000` output tokens per second; TTFT is absent.
final class DecodeServing implements Serving {
    private final Deployment deployment;
    private final double servingCostMillis;
    private final InstancePasses passes;

    DecodeServing(Deployment deployment, ServingTerms terms, InstancePasses passes) {
        this.deployment = deployment;
        this.servingCostMillis = terms.servingCostMillis();
        this.passes = passes;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        ForwardEstimate pass = passes.decode(load.concurrency(), load);
        double millis = passes.perToken(pass.latencyMillis() + servingCostMillis);
        double tokensPerSecond = millis > 0 ? load.concurrency() / millis * 1000 : 0;
        return new ServingPoint(
                load,
                Figures.of(null, millis, tokensPerSecond, deployment.layout()),
                PhaseCosts.ofDecode(pass.breakdown().shares(), pass.memory()),
                0,
                List.of());
    }
}

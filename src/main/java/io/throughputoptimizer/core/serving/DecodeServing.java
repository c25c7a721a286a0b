package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;

/// Disaggregated decode (disaggregation, decode and MTP).
///
/// `tpot = (pass + servingCost) / A` in ms, where a pass yields `A` tokens per request on average
/// ([DraftAcceptance#tokensPerStep]); the serving cost is divided too, as the
/// reference has it. Throughput is `C / tpot * 1000` output tokens per second; TTFT is absent.
/// Sustained are `C / (tpot * max(out - 1, 1)) * 1000` requests per second, as prefill has made the first token.
/// Requests of unequal length are those that the batch holds in the steady state ([DecodeMix]).
final class DecodeServing implements Serving {
    private final Deployment deployment;
    private final double servingCostMillis;
    private final double decodedTokens;
    private final double tokensAfterFirst;
    private final InstancePasses passes;
    private final DecodeSteps steps;

    DecodeServing(Deployment deployment, ServingTerms terms, InstancePasses passes) {
        this.deployment = deployment;
        this.servingCostMillis = terms.servingCostMillis();
        this.decodedTokens = terms.workload().outputs().meanDecoded();
        this.tokensAfterFirst = terms.workload().outputs().mean() - 1;
        this.passes = passes;
        this.steps = DecodeSteps.of(deployment, terms, passes);
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        DecodeSteps.Step step = steps.at(load);
        ForwardEstimate pass = step.pass();
        double millis = passes.perToken(pass.latencyMillis() + servingCostMillis);
        double tokensPerSecond = millis > 0 ? load.concurrency() / millis * 1000 : 0;
        double sustained = Figures.perSecond(load.concurrency(), millis * decodedTokens);
        return new ServingPoint(
                load,
                Figures.of(
                        null, millis, tokensPerSecond, sustained, tokensAfterFirst * millis, null, deployment.layout()),
                PhaseCosts.ofDecode(pass.breakdown().shares(), pass.memory()),
                0,
                step.samples());
    }
}

package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.RequestMix;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;

/// The workload of an instance and the rules that serve it.
///
/// @param maxBatchedTokens token budget of one prefill pass
/// @param servingCostMillis time added to each disaggregated phase
/// @param acceptance acceptance of the deployment's draft tokens
/// @param paired whether the instance is half of a disaggregated pair that serves prompts of unequal length
public record ServingTerms(
        Workload workload,
        int maxBatchedTokens,
        double servingCostMillis,
        DraftAcceptance acceptance,
        Accounting accounting,
        boolean paired) {
    public ServingTerms {
        workload = accounting.seen(workload);
        paired = paired && workload.lengths() instanceof Lengths.Mixed;
        if (maxBatchedTokens <= 0) {
            throw new IllegalArgumentException(
                    "max batched tokens is " + maxBatchedTokens + ": a positive whole number is needed");
        }
        if (!(servingCostMillis >= 0) || Double.isInfinite(servingCostMillis)) {
            throw new IllegalArgumentException(
                    "serving cost is " + servingCostMillis + " ms: a finite number of at least 0 is needed");
        }
    }

    /// Requests of unequal length as the prefix cache leaves them.
    RequestMix mix(Lengths.Mixed lengths) {
        return RequestMix.of(lengths.distribution(), workload.prefixCacheHitRate());
    }

    /// Prompts of a batch. A small one leaves out lengths, as in the reference, but where its time is set against that
    /// of a decode step that knows all lengths.
    List<LengthSamples> prompts(RequestMix mix, long requests) {
        boolean all = paired || workload.outputs().sole().isEmpty();
        return (all ? mix.joinedFor(requests) : mix).allocate(requests);
    }

    /// Returns a copy with another token budget.
    public ServingTerms withMaxBatchedTokens(int tokens) {
        return new ServingTerms(workload, tokens, servingCostMillis, acceptance, accounting, paired);
    }

    /// Tokens that all ranks of an instance together compute in one prefill pass.
    long instanceTokenBudget(ParallelLayout layout) {
        return accounting.instanceTokenBudget(maxBatchedTokens, layout.dp());
    }

    /// Tokens in the context of a decoding request, images aside.
    int decodeContext(Deployment deployment) {
        return workload.decodeSequenceLength(deployment.execution().decodeQueryLength());
    }

    /// Pieces that a prompt of mean length is cut into.
    PrefillChunks chunks() {
        return new PrefillChunks(workload.effectiveInputLength(), maxBatchedTokens);
    }
}

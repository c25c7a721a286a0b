package io.throughputoptimizer.api.result.figure;

import io.throughputoptimizer.core.forward.PricedPass;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// Ways in which linear attention processes the tokens of a pass.
public enum LinearAttentionRule {
    /// In chunks of 64 tokens.
    CHUNKS,
    /// Token by token, from the state of each request.
    RECURRENT;

    /// Returns the name in requests and results.
    public String wireName() {
        return switch (this) {
            case CHUNKS -> "chunks";
            case RECURRENT -> "recurrent";
        };
    }

    /// The rule of a pass; absent for a model without linear attention.
    public static @Nullable LinearAttentionRule of(PricedPass pass, ModelArchitecture model) {
        if (model.delta().isEmpty()) {
            return null;
        }
        return pass.recurrent() ? RECURRENT : CHUNKS;
    }

    /// The rule of the output tokens of a row, or of its prompts where it has none; absent for a model without linear
    /// attention.
    public static @Nullable LinearAttentionRule of(Phase phase, OptimizationProblem problem) {
        if (problem.model().delta().isEmpty()) {
            return null;
        }
        boolean goesOn = !problem.search().accounting().isReference();
        return phase != Phase.PREFILL && goesOn ? RECURRENT : CHUNKS;
    }
}

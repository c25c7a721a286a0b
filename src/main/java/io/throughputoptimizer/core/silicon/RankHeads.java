package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.silicon.kernel.Heads;

/// Heads that one tensor parallel rank holds. Key-value heads are repeated where there are fewer of them than ranks.
final class RankHeads {
    private RankHeads() {}

    static Heads of(AttentionSpec.GroupedQuery attention, ParallelLayout layout) {
        int keyValue = Math.max(attention.keyValueHeads() / layout.tp(), 1);
        return new Heads((double) attention.queryHeads() / layout.tp(), keyValue, attention.headSize());
    }

    static double of(AttentionSpec.MultiHeadLatent attention, ParallelLayout layout) {
        return (double) attention.heads() / layout.tp();
    }
}

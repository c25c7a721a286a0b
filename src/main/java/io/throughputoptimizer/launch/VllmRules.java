package io.throughputoptimizer.launch;

import static io.throughputoptimizer.catalog.LaunchOption.CACHE_BYTES;
import static io.throughputoptimizer.catalog.LaunchOption.CONTEXT_LENGTH;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.MEMORY_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.TOKEN_BUDGET;

import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Served;

/// Rules of vLLM and vLLM-Ascend. All limits are per data parallel rank, which is a separate engine.
final class VllmRules implements EngineRules {
    @Override
    public void layOut(Instance instance, Served served, Settings settings) {
        Layout layout = instance.layout();
        settings.set(TENSOR_PARALLEL, layout.tp());
        if (layout.dp() > 1) {
            settings.set(DATA_PARALLEL, layout.dp());
        }
        if (layout.ep() > 1) {
            if (layout.moeTp() > 1) {
                settings.set(EXPERT_TENSOR_PARALLEL, layout.moeTp());
            }
            settings.set(EXPERT_PARALLEL, layout.ep());
        }
    }

    @Override
    public void limit(Instance instance, Served served, Precision precision, Settings settings) {
        settings.set(REQUESTS, instance.batchSize());
        settings.set(TOKEN_BUDGET, EngineRules.stepTokens(instance, precision));
        settings.set(CONTEXT_LENGTH, served.requestTokens());
    }

    @Override
    public void remember(AnalyticMemory memory, Settings settings) {
        if (memory.reservedGb() == null) {
            settings.lacking(NO_SHARE);
        } else {
            settings.set(MEMORY_SHARE, EngineRules.share(memory.totalGb() - memory.reservedGb(), memory.totalGb()));
        }
    }

    /// Sets the memory. Share, sequences, token budget and context determine the KV cache. An explicit size in
    /// bytes skips the engine's profiling and is set only if the request states it.
    @Override
    public void remember(LaunchMemory memory, Settings settings) {
        if (memory.isPoolStated()) {
            settings.set(CACHE_BYTES, memory.poolBytes());
        } else {
            settings.set(MEMORY_SHARE, memory.share());
        }
    }

    @Override
    public int servers(Layout layout) {
        return 1;
    }
}

package io.throughputoptimizer.launch;

import static io.throughputoptimizer.catalog.LaunchOption.CHUNKED_PREFILL;
import static io.throughputoptimizer.catalog.LaunchOption.CONTEXT_LENGTH;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL_ATTENTION;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.FREE_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.TOKEN_BUDGET;

import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;

/// Rules of TensorRT-LLM. Attention is data parallel over all devices or not at all; replicas of a dense model
/// are separate servers.
final class TrtllmRules implements EngineRules {
    /// Tokens per block of the KV cache.
    private static final int TOKEN_BLOCK = 32;

    @Override
    public void layOut(Instance instance, Served served, Settings settings) {
        Layout layout = instance.layout();
        if (!layout.routed()) {
            settings.set(TENSOR_PARALLEL, layout.tp());
            return;
        }
        if (layout.dp() > 1 && layout.tp() > 1) {
            throw EngineRules.cannot(
                    "TensorRT-LLM",
                    "attention is data parallel over all devices or not at all, not TP " + layout.tp() + " beside DP "
                            + layout.dp());
        }
        settings.set(TENSOR_PARALLEL, layout.devices());
        settings.set(EXPERT_TENSOR_PARALLEL, layout.moeTp());
        settings.set(EXPERT_PARALLEL, layout.ep());
        if (layout.dp() > 1) {
            settings.set(DATA_PARALLEL_ATTENTION);
        }
    }

    @Override
    public void limit(Instance instance, Served served, Precision precision, Settings settings) {
        long tokens = EngineRules.stepTokens(instance, precision);
        long whole = tokens < TOKEN_BLOCK ? tokens : tokens / TOKEN_BLOCK * TOKEN_BLOCK;
        settings.set(REQUESTS, instance.batchSize());
        settings.set(TOKEN_BUDGET, whole);
        if (instance.role() != Role.DECODE && (instance.budget().chunked() || whole < served.promptTokens())) {
            settings.set(CHUNKED_PREFILL);
        }
        settings.set(CONTEXT_LENGTH, served.requestTokens());
    }

    @Override
    public void remember(AnalyticMemory memory, Settings settings) {
        if (memory.reservedGb() == null || memory.cacheGb() == null) {
            settings.lacking(NO_SHARE);
        } else {
            settings.set(FREE_SHARE, EngineRules.share(memory.cacheGb(), memory.cacheGb() + memory.reservedGb()));
        }
    }

    @Override
    public void remember(LaunchMemory memory, Settings settings) {
        if (memory.isPoolStated()) {
            settings.lacking(NO_SHARE);
        } else {
            settings.set(FREE_SHARE, memory.share());
        }
    }

    @Override
    public int servers(Layout layout) {
        return layout.routed() ? 1 : layout.dp();
    }
}

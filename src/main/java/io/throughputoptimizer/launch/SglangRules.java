package io.throughputoptimizer.launch;

import static io.throughputoptimizer.catalog.LaunchOption.CACHE_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.CONTEXT_LENGTH;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL_ATTENTION;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.PREFILL_LIMIT;
import static io.throughputoptimizer.catalog.LaunchOption.REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.TOKEN_BUDGET;

import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;

/// Rules of SGLang. With data parallel attention, used for MoE models, it counts all devices and requests of
/// the instance; without, those of a replica.
final class SglangRules implements EngineRules {
    @Override
    public void layOut(Instance instance, Served served, Settings settings) {
        Layout layout = instance.layout();
        boolean shared = sharesExperts(layout);
        settings.set(TENSOR_PARALLEL, shared ? layout.devices() : layout.tp());
        if (layout.dp() > 1) {
            settings.set(DATA_PARALLEL, layout.dp());
        }
        if (shared) {
            settings.set(DATA_PARALLEL_ATTENTION);
        }
        if (layout.ep() > 1) {
            settings.set(EXPERT_PARALLEL, layout.ep());
            if (layout.moeTp() > 1) {
                settings.set(EXPERT_TENSOR_PARALLEL, layout.moeTp());
            }
        }
    }

    @Override
    public void limit(Instance instance, Served served, Precision precision, Settings settings) {
        int ranks = sharesExperts(instance.layout()) ? instance.layout().dp() : 1;
        settings.set(REQUESTS, instance.batchSize() * ranks);
        if (instance.role() != Role.DECODE) {
            settings.set(TOKEN_BUDGET, instance.budget().promptTokens() * ranks);
            settings.set(PREFILL_LIMIT, instance.budget().promptTokens());
        }
        settings.set(CONTEXT_LENGTH, served.requestTokens());
    }

    @Override
    public void remember(AnalyticMemory memory, Settings settings) {
        if (memory.cacheGb() == null) {
            settings.lacking(NO_SHARE);
        } else {
            settings.set(CACHE_SHARE, EngineRules.share(memory.weightGb() + memory.cacheGb(), memory.totalGb()));
        }
    }

    /// Sets the memory. Without a stated share the engine applies its own rule.
    @Override
    public void remember(LaunchMemory memory, Settings settings) {
        if (memory.isPoolStated()) {
            settings.lacking(NO_SHARE);
        } else if (memory.stated().memoryShare() != null) {
            settings.set(CACHE_SHARE, memory.share());
        }
    }

    @Override
    public int servers(Layout layout) {
        return 1;
    }

    private static boolean sharesExperts(Layout layout) {
        return layout.routed() && layout.dp() > 1;
    }
}

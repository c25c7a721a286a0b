package io.throughputoptimizer.launch;

import static io.throughputoptimizer.catalog.LaunchOption.CHUNKED_PREFILL;
import static io.throughputoptimizer.catalog.LaunchOption.CONTEXT_LENGTH;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.MEMORY_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.PREFILL_LIMIT;
import static io.throughputoptimizer.catalog.LaunchOption.REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.TOKEN_BUDGET;

import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.util.Map;

/// Rules of MindIE. All limits are per data parallel rank; prefill and decode steps alternate.
final class MindieRules implements EngineRules {
    private static final int MOST_DRAFT_TOKENS = 2;

    @Override
    public void layOut(Instance instance, Served served, Settings settings) {
        Layout layout = instance.layout();
        settings.set(TENSOR_PARALLEL, Map.of("n", layout.tp(), "devices", layout.devices()));
        if (layout.dp() > 1) {
            settings.set(DATA_PARALLEL, layout.dp());
        }
        if (layout.ep() > 1) {
            requireDeepSeek(served, "expert parallelism");
            settings.set(EXPERT_PARALLEL, layout.ep());
        }
        if (layout.routed()) {
            settings.set(EXPERT_TENSOR_PARALLEL, layout.moeTp());
        }
    }

    @Override
    public void limit(Instance instance, Served served, Precision precision, Settings settings) {
        if (instance.budget().chunked()) {
            settings.set(CHUNKED_PREFILL);
        }
        if (precision.draftTokens() > 0) {
            requireDeepSeek(served, "multi-token prediction");
            if (precision.draftTokens() > MOST_DRAFT_TOKENS) {
                throw EngineRules.cannot("MindIE", "it drafts one or two tokens, not " + precision.draftTokens());
            }
        }
        long prompts = instance.budget().promptTokens();
        settings.set(REQUESTS, Map.of("n", instance.batchSize(), "concurrency", instance.concurrency()));
        settings.set(TOKEN_BUDGET, Math.max(prompts, served.promptTokens()));
        settings.set(PREFILL_LIMIT, Math.max(1, prompts / served.inputTokens()));
        settings.set(
                CONTEXT_LENGTH,
                Map.of(
                        "n", served.requestTokens(),
                        "input", served.promptTokens(),
                        "output", served.outputTokens()));
        if (prompts < served.promptTokens()) {
            settings.noting("the token budget is that of the longest prompt, " + served.promptTokens() + " and not "
                    + prompts + " tokens: MindIE takes no less");
        }
    }

    @Override
    public void remember(AnalyticMemory memory, Settings settings) {
        if (memory.reservedGb() != null) {
            settings.set(MEMORY_SHARE, EngineRules.share(memory.totalGb() - memory.reservedGb(), memory.totalGb()));
        }
    }

    @Override
    public void remember(LaunchMemory memory, Settings settings) {
        settings.lacking(NO_SHARE);
    }

    @Override
    public int servers(Layout layout) {
        return 1;
    }

    private static void requireDeepSeek(Served served, String what) {
        if (!served.modelType().startsWith("deepseek")) {
            throw EngineRules.cannot("MindIE", what + " is documented for DeepSeek only, not for " + served.model());
        }
    }
}

package io.throughputoptimizer.launch;

import static io.throughputoptimizer.catalog.LaunchOption.DECODE_CONTEXT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.DRAFTS;
import static io.throughputoptimizer.catalog.LaunchOption.EAGER;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_REPLICAS;
import static io.throughputoptimizer.catalog.LaunchOption.GRAPHS;
import static io.throughputoptimizer.catalog.LaunchOption.GRAPH_REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.TEXT_ONLY;

import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Memory;
import io.throughputoptimizer.launch.LaunchPlan.OlderMemory;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Translation of a plan's figures to an engine: which ones apply per rank or per instance, and what it does
/// not support. Limits never exceed those of the row.
sealed interface EngineRules permits VllmRules, SglangRules, TrtllmRules, MindieRules {
    /// Minimum token budget of a decode instance. It is not a limit there, and published settings use it.
    int LEAST_DECODE_BUDGET = 256;

    /// Maximum requests per rank: the limit of SGLang; defaults of other engines are lower.
    long MOST_REQUESTS = 4096;

    /// Maximum tokens per step, above which no engine has memory for activations.
    long MOST_TOKENS = 1 << 20;

    /// Returns the rules of an engine by name.
    static EngineRules of(String engine) {
        return switch (engine) {
            case "vllm", "vllm-ascend" -> new VllmRules();
            case "sglang" -> new SglangRules();
            case "trtllm" -> new TrtllmRules();
            case "mindie" -> new MindieRules();
            default -> throw new IllegalArgumentException("no rules for engine " + engine);
        };
    }

    /// Note if the row does not state the memory of its instance.
    String NO_SHARE = "the bytes of the KV cache that the row counts with: the share of free memory is left as it is";

    /// Sets the parallel sizes.
    void layOut(Instance instance, Served served, Settings settings);

    /// Sets the maximum concurrency and token budget.
    void limit(Instance instance, Served served, Precision precision, Settings settings);

    /// Sets the memory share of the analytic model.
    void remember(AnalyticMemory memory, Settings settings);

    /// Sets the memory share as the engine allocates it.
    void remember(LaunchMemory memory, Settings settings);

    /// Returns the number of servers of an instance.
    int servers(Layout layout);

    /// Sets all options of an instance except precision and role.
    default void tell(Instance asked, Served load, Settings settings) {
        Precision precision = asked.precision();
        LaunchMemory memory = asked.memory() instanceof LaunchMemory known ? known : null;
        Served served = memory == null ? load : memory.starting(load, settings);
        Instance instance = bounded(memory == null ? asked : memory.of(asked), precision, settings);
        Layout layout = instance.layout();
        if (layout.moeDp() > 1) {
            settings.set(EXPERT_REPLICAS, layout.moeDp());
        }
        layOut(instance, served, settings);
        if (layout.dcp() > 1) {
            settings.set(DECODE_CONTEXT_PARALLEL, layout.dcp());
        }
        limit(instance, served, precision, settings);
        remember(instance.memory(), settings);
        if (precision.draftTokens() > 0) {
            settings.set(DRAFTS, Map.of("n", precision.draftTokens(), "next", precision.draftTokens() + 1));
        }
        if (precision.textOnly()) {
            settings.set(TEXT_ONLY);
        }
        if (!precision.compiled()) {
            settings.set(EAGER);
        } else if (instance.role() != Role.PREFILL) {
            settings.set(GRAPHS);
            settings.set(GRAPH_REQUESTS, instance.batchSize());
        }
    }

    private void remember(@Nullable Memory memory, Settings settings) {
        switch (memory) {
            case LaunchMemory allocated -> remember(allocated, settings);
            case AnalyticMemory known
            when known.cacheGb() != null || known.reservedGb() != null -> remember(known, settings);
            case OlderMemory _ ->
                settings.lacking("the memory share: the row is of an earlier version of the service, run its request"
                        + " again for one whose command is known to start");
            case AnalyticMemory _ -> settings.lacking(NO_SHARE);
            case null -> settings.lacking(NO_SHARE);
        }
    }

    /// Returns the instance within limits that the engine accepts: at most as many requests as tokens per step.
    private static Instance bounded(Instance instance, Precision precision, Settings settings) {
        RankBudget budget = instance.budget().atMost(MOST_TOKENS);
        if (budget.promptTokens() < instance.budget().promptTokens()) {
            settings.noting("a pass of the row computes " + instance.budget().promptTokens()
                    + " prompt tokens on a rank, for which no engine has room: " + budget.promptTokens()
                    + " are let in, the others wait");
        }
        long few = Math.min(instance.batchSize(), MOST_REQUESTS);
        long requests = Math.max(1, Math.min(few, stepTokens(instance.within(few, budget), precision)));
        if (requests < instance.batchSize()) {
            settings.noting("of the " + instance.batchSize() + " requests of a rank that "
                    + instance.role().name().toLowerCase(Locale.ROOT) + " counts with " + requests
                    + " are let in at once, "
                    + (requests < few ? "as many as a step has tokens" : "no engine holds more")
                    + "; the others wait");
        }
        return instance.within(requests, budget);
    }

    static long stepTokens(Instance instance, Precision precision) {
        int each = 1 + precision.draftTokens();
        return switch (instance.role()) {
            case AGGREGATION -> instance.budget().mixedStep(instance.batchSize(), each);
            case PREFILL -> instance.budget().promptTokens();
            case DECODE -> Math.max(instance.batchSize() * each, LEAST_DECODE_BUDGET);
        };
    }

    /// Formats a memory share, rounded down so that it stays within the row's.
    static String share(double part, double whole) {
        return BigDecimal.valueOf(part / whole).setScale(2, RoundingMode.DOWN).toPlainString();
    }

    static CannotLaunchException cannot(String engine, String reason) {
        return new CannotLaunchException(
                CannotLaunchException.Subject.ENGINE, engine + " cannot run this row: " + reason);
    }
}

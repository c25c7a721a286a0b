package io.throughputoptimizer.launch;

import static io.throughputoptimizer.catalog.LaunchOption.CACHE_BYTES;
import static io.throughputoptimizer.catalog.LaunchOption.CACHE_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.CHUNKED_PREFILL;
import static io.throughputoptimizer.catalog.LaunchOption.CONTEXT_LENGTH;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.DATA_PARALLEL_ATTENTION;
import static io.throughputoptimizer.catalog.LaunchOption.DECODE_CONTEXT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.DRAFTS;
import static io.throughputoptimizer.catalog.LaunchOption.EAGER;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_REPLICAS;
import static io.throughputoptimizer.catalog.LaunchOption.EXPERT_TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.FREE_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.GRAPHS;
import static io.throughputoptimizer.catalog.LaunchOption.GRAPH_REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.MEMORY_SHARE;
import static io.throughputoptimizer.catalog.LaunchOption.PREFILL_LIMIT;
import static io.throughputoptimizer.catalog.LaunchOption.REQUESTS;
import static io.throughputoptimizer.catalog.LaunchOption.TENSOR_PARALLEL;
import static io.throughputoptimizer.catalog.LaunchOption.TOKEN_BUDGET;

import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Memory;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/// What the figures of a plan mean to an engine: which of them it counts for a rank and which for an instance, and what
/// it
/// cannot do at all. Limits are those of the row, never larger.
enum EngineRules {
    /// Counts every limit for each data parallel rank, which is an engine of its own. vLLM-Ascend does as vLLM.
    VLLM {
        @Override
        void layOut(Instance instance, Served served, Settings settings) {
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
        void limit(Instance instance, Served served, Precision precision, Settings settings) {
            settings.set(REQUESTS, instance.batchSize());
            settings.set(TOKEN_BUDGET, stepTokens(instance, precision));
            settings.set(CONTEXT_LENGTH, served.requestTokens());
        }

        @Override
        void remember(Memory memory, Settings settings) {
            if (memory.reservedGb() == null) {
                settings.set(CACHE_BYTES, (long) (memory.cacheGb() * GIB));
            } else {
                settings.set(MEMORY_SHARE, share(memory.totalGb() - memory.reservedGb(), memory.totalGb()));
            }
        }

        @Override
        int servers(Layout layout) {
            return 1;
        }
    },

    /// With data parallel attention, which models with experts take, it counts all devices and requests of the
    /// instance;
    /// without, those of a replica.
    SGLANG {
        @Override
        void layOut(Instance instance, Served served, Settings settings) {
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
        void limit(Instance instance, Served served, Precision precision, Settings settings) {
            int ranks = sharesExperts(instance.layout()) ? instance.layout().dp() : 1;
            settings.set(REQUESTS, instance.batchSize() * ranks);
            if (instance.role() != Role.DECODE) {
                settings.set(TOKEN_BUDGET, instance.budget().promptTokens() * ranks);
                settings.set(PREFILL_LIMIT, instance.budget().promptTokens());
            }
            settings.set(CONTEXT_LENGTH, served.requestTokens());
        }

        @Override
        void remember(Memory memory, Settings settings) {
            settings.set(CACHE_SHARE, share(memory.weightGb() + memory.cacheGb(), memory.totalGb()));
        }

        @Override
        int servers(Layout layout) {
            return 1;
        }

        private static boolean sharesExperts(Layout layout) {
            return layout.routed() && layout.dp() > 1;
        }
    },

    /// Attention is data parallel over all devices or not at all; replicas of a dense model are servers of their own.
    TRTLLM {
        @Override
        void layOut(Instance instance, Served served, Settings settings) {
            Layout layout = instance.layout();
            if (!layout.routed()) {
                settings.set(TENSOR_PARALLEL, layout.tp());
                return;
            }
            if (layout.dp() > 1 && layout.tp() > 1) {
                throw cannot(
                        "TensorRT-LLM",
                        "attention is data parallel over all devices or not at all, not TP " + layout.tp()
                                + " beside DP " + layout.dp());
            }
            settings.set(TENSOR_PARALLEL, layout.devices());
            settings.set(EXPERT_TENSOR_PARALLEL, layout.moeTp());
            settings.set(EXPERT_PARALLEL, layout.ep());
            if (layout.dp() > 1) {
                settings.set(DATA_PARALLEL_ATTENTION);
            }
        }

        @Override
        void limit(Instance instance, Served served, Precision precision, Settings settings) {
            long tokens = stepTokens(instance, precision);
            long whole = tokens < TOKEN_BLOCK ? tokens : tokens / TOKEN_BLOCK * TOKEN_BLOCK;
            settings.set(REQUESTS, instance.batchSize());
            settings.set(TOKEN_BUDGET, whole);
            if (instance.role() != Role.DECODE && (instance.budget().chunked() || whole < served.promptTokens())) {
                settings.set(CHUNKED_PREFILL);
            }
            settings.set(CONTEXT_LENGTH, served.requestTokens());
        }

        @Override
        void remember(Memory memory, Settings settings) {
            if (memory.reservedGb() == null) {
                settings.lacking(
                        "the bytes of the KV cache that the row counts with: the share of free memory is left as"
                                + " it is");
            } else {
                settings.set(FREE_SHARE, share(memory.cacheGb(), memory.cacheGb() + memory.reservedGb()));
            }
        }

        @Override
        int servers(Layout layout) {
            return layout.routed() ? 1 : layout.dp();
        }
    },

    /// Counts every limit for each data parallel rank; prompts and decodes take turns.
    MINDIE {
        private static final int MOST_DRAFT_TOKENS = 2;

        @Override
        void layOut(Instance instance, Served served, Settings settings) {
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
        void limit(Instance instance, Served served, Precision precision, Settings settings) {
            if (instance.budget().chunked()) {
                settings.set(CHUNKED_PREFILL);
            }
            if (precision.draftTokens() > 0) {
                requireDeepSeek(served, "multi-token prediction");
                if (precision.draftTokens() > MOST_DRAFT_TOKENS) {
                    throw cannot("MindIE", "it drafts one or two tokens, not " + precision.draftTokens());
                }
            }
            long prompts = instance.budget().promptTokens();
            settings.set(
                    REQUESTS, Map.of("n", instance.batchSize(), "concurrency", Math.max(instance.concurrency(), 1)));
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
        void remember(Memory memory, Settings settings) {
            if (memory.reservedGb() != null) {
                settings.set(MEMORY_SHARE, share(memory.totalGb() - memory.reservedGb(), memory.totalGb()));
            }
        }

        @Override
        int servers(Layout layout) {
            return 1;
        }

        private static void requireDeepSeek(Served served, String what) {
            if (!served.modelType().startsWith("deepseek")) {
                throw cannot("MindIE", what + " is documented for DeepSeek only, not for " + served.model());
            }
        }
    };

    private static final double GIB = 1L << 30;
    /// TensorRT-LLM keeps its cache in blocks of as many tokens.
    private static final int TOKEN_BLOCK = 32;
    /// A decode instance has at least this budget: it limits nothing there, and published settings have it.
    private static final int LEAST_DECODE_BUDGET = 256;

    /// Which rules an engine follows, by its name.
    static EngineRules of(String engine) {
        return switch (engine) {
            case "vllm", "vllm-ascend" -> VLLM;
            case "sglang" -> SGLANG;
            case "trtllm" -> TRTLLM;
            case "mindie" -> MINDIE;
            default -> throw new IllegalArgumentException("no rules for engine " + engine);
        };
    }

    /// Says how the devices are split.
    abstract void layOut(Instance instance, Served served, Settings settings);

    /// Says how many requests and tokens there are at once.
    abstract void limit(Instance instance, Served served, Precision precision, Settings settings);

    /// Says how much memory may be used.
    abstract void remember(Memory memory, Settings settings);

    /// Servers that an instance is made of.
    abstract int servers(Layout layout);

    /// All that an instance is told but its precision and its role.
    void tell(Instance instance, Served served, Precision precision, Settings settings) {
        Layout layout = instance.layout();
        if (layout.moeDp() > 1) {
            settings.set(EXPERT_REPLICAS, layout.moeDp());
        }
        layOut(instance, served, settings);
        if (layout.dcp() > 1) {
            settings.set(DECODE_CONTEXT_PARALLEL, layout.dcp());
        }
        limit(instance, served, precision, settings);
        Memory memory = instance.memory();
        if (memory == null) {
            settings.lacking("the memory of this instance, which the result does not list: its share is left as it is");
        } else {
            remember(memory, settings);
        }
        if (precision.draftTokens() > 0) {
            settings.set(DRAFTS, Map.of("n", precision.draftTokens(), "next", precision.draftTokens() + 1));
        }
        if (!precision.compiled()) {
            settings.set(EAGER);
        } else if (instance.role() != Role.PREFILL) {
            settings.set(GRAPHS);
            settings.set(GRAPH_REQUESTS, instance.batchSize());
        }
    }

    private static long stepTokens(Instance instance, Precision precision) {
        int each = 1 + precision.draftTokens();
        return switch (instance.role()) {
            case AGGREGATION -> instance.budget().mixedStep(instance.batchSize(), each);
            case PREFILL -> instance.budget().promptTokens();
            case DECODE -> Math.max(instance.batchSize() * each, LEAST_DECODE_BUDGET);
        };
    }

    /// Rounded down: a share rounded up takes from what the row keeps free.
    private static String share(double part, double whole) {
        return BigDecimal.valueOf(part / whole).setScale(2, RoundingMode.DOWN).toPlainString();
    }

    private static CannotLaunchException cannot(String engine, String reason) {
        return new CannotLaunchException(
                CannotLaunchException.Subject.ENGINE, engine + " cannot run this row: " + reason);
    }
}

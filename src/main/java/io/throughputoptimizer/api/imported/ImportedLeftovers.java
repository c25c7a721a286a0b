package io.throughputoptimizer.api.imported;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Members of another tool's file that have no counterpart, with the reason.
final class ImportedLeftovers {
    private static final Map<Pattern, String> REASONS = reasons();

    private ImportedLeftovers() {}

    private static Map<Pattern, String> reasons() {
        Map<Pattern, String> reasons = new LinkedHashMap<>();
        put(reasons, ".*pp_candidates|.*cp_candidates", "instances have no pipelines and share no prompts here");
        put(reasons, ".*moe_tp_candidates", "follows from the devices and search.ep_sizes");
        put(reasons, "agg_num_gpu_candidates", "follows from search.tp_sizes and search.dp_sizes");
        put(reasons, ".*_degradation|.*_correction.*", "figures are not corrected by a factor here: they have bands");
        put(reasons, "pareto_sweep", "each layout has its row, and explain gives the frontier");
        put(reasons, ".*max_batch_size|max_seq_len", "the KV cache says how many requests run at once");
        put(reasons, "(num|max)_gpu_per_replica|max_.*_workers", "num_devices bounds plans here");
        put(
                reasons,
                "database_mode|transfer_policy|forward_model|engine_step_backend|predictor",
                "each figure says what it is based on, in its band and flags");
        put(reasons, ".*(fmha|comm)_quant_mode", "follows from the scheme and the KV cache");
        put(reasons, ".*(wideep|eplb).*", "experts are spread as the engine was measured");
        put(reasons, ".*(moe|attention)_backend", "kernels are those that were measured of the engine");
        put(reasons, ".*enable_chunked_prefill", "engine.token_budget and engine.policy say it");
        put(reasons, "image_.*|num_images.*|.*encoder.*|enable_epd", "cost model calibrated prices no images");
        put(
                reasons,
                "free_gpu_memory_fraction",
                "the engine's own rule says how much the KV cache has; engine.kv_tokens sets it");
        put(reasons, "afd_.*", "attention and feed-forward parts on devices of their own are not modelled");
        put(reasons, "mode|config|profiles", "the nested form of older versions is not read");
        return reasons;
    }

    private static void put(Map<Pattern, String> reasons, String members, String reason) {
        reasons.put(Pattern.compile(members), reason);
    }

    /// @param apart whether prefill and decode are
    static ImportedRequest of(ImportedRequest read, ImportedMembers asked, boolean apart) {
        asked.others().forEach(member -> read.leave(AiconfiguratorReader.shortened(member), reason(member, apart)));
        return read;
    }

    private static String reason(String member, boolean apart) {
        return REASONS.entrySet().stream()
                .filter(known -> known.getKey().matcher(member).matches())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(
                        member.matches("(agg|prefill|decode)_.*")
                                ? "belongs to serving_mode " + (apart ? "agg" : "disagg")
                                : "is not known here");
    }
}

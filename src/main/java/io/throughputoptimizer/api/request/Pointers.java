package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.search.space.Objection;

/// JSON pointers to the fields that rules of `core` reject.
public final class Pointers {
    private Pointers() {}

    /// An objection, at its place in an [OptimizationRequest].
    public static Violation inOptimization(Objection objection) {
        String pointer = of(objection.subject());
        String place = objection.element() == null ? pointer : pointer + "/" + objection.element();
        return new Violation(
                objection.device() == null ? place : PerDevice.place(place, objection.device()), objection.message());
    }

    /// Returns the pointer of a part of a search in an [OptimizationRequest].
    static String of(Objection.Subject subject) {
        return switch (subject) {
            case MODEL -> "/model_id";
            case MODE -> "/mode";
            case DEVICE_COUNT -> "/num_devices";
            case INSTANCE_SIZES -> "/instance_sizes";
            case INSTANCES -> "/pd_ratio";
            case PREFILL_DEVICES -> "/pd_ratio/prefill_devices_per_instance";
            case DECODE_DEVICES -> "/pd_ratio/decode_devices_per_instance";
            case PREFILL_KINDS -> "/pd_ratio/prefill_devices";
            case DECODE_KINDS -> "/pd_ratio/decode_devices";
            case KV_TRANSFER -> "/pd_ratio/kv_transfer";
            case DEMAND_KV_TRANSFER -> "/kv_transfer";
            case DEVICES -> "/devices";
            case INPUT_LENGTH -> "/workload/input_length";
            case LENGTH_DISTRIBUTION -> "/workload/length_distribution";
            case CONVERSATION -> "/workload/conversation";
            case OUTPUT_DISTRIBUTION -> "/workload/output_distribution";
            case IMAGES -> "/workload/image";
            case LIMITS -> "/slo";
            case OBJECTIVE -> "/objective/name";
            case TTFT_LIMIT -> "/slo/ttft_ms";
            case TPOT_LIMIT -> "/slo/tpot_ms";
            case E2E_LATENCY_LIMIT -> "/slo/e2e_latency_ms";
            case SIZES -> "/search";
            case TP_SIZES -> "/search/tp_sizes";
            case EP_SIZES -> "/search/ep_sizes";
            case MOE_DP_SIZES -> "/search/moe_dp_sizes";
            case DCP_SIZES -> "/search/dcp_sizes";
            case MAX_BATCHED_TOKENS -> "/search/max_batched_tokens";
            case DRAFT_TOKENS -> "/serving/num_mtp_tokens";
            case COMPILATION -> "/serving/compile";
            case LINEAR_QUANTIZATION -> "/quantization/linear";
            case CACHE_QUANTIZATION -> "/quantization/attention";
            case NON_EXPERT_QUANTIZATION -> "/quantization/non_expert_linear";
            case SHARED_EXPERTS -> "/serving/shared_expert_tp";
        };
    }

    /// An obstacle, at its place in an [EstimateRequest].
    public static Violation inEstimate(Obstacle obstacle) {
        String pointer = switch (obstacle.part()) {
            case MODEL -> "/model_id";
            case BACKEND -> "/engine/backend";
            case TENSOR_PARALLEL -> "/parallel/tp";
            case PIPELINE_PARALLEL -> "/parallel/pp";
            case EXPERT_PARALLEL -> "/parallel/ep";
            case EXPERT_REPLICAS -> "/parallel/moe_dp";
            case DECODE_CONTEXT_PARALLEL -> "/parallel/dcp";
            case DRAFT_TOKENS -> "/num_mtp_tokens";
            case COMPILATION -> "/compile";
            case LINEAR_QUANTIZATION -> "/quantization/linear";
            case CACHE_QUANTIZATION -> "/quantization/attention";
            case NON_EXPERT_QUANTIZATION -> "/quantization/non_expert_linear";
            case SHARED_EXPERTS -> "/shared_expert_tp";
        };
        return new Violation(pointer, obstacle.reason());
    }

    /// Returns the violation for an unsupported deployment, at its field in a request about one.
    public static Violation inDeployment(Obstacle obstacle) {
        return inCalibrated(obstacle, "/engine/backend", "/quantization/scheme", "/parallel");
    }

    /// Returns the violation for an unsupported device of a search, at its field.
    public static Violation inSearch(Obstacle obstacle, OptimizationRequest request, String device) {
        return inCalibrated(
                obstacle,
                requireNonNull(requireNonNull(request.engine()).backend()).pointer("/engine/backend", device),
                requireNonNull(request.quantization().scheme()).pointer("/quantization/scheme", device),
                "/search");
    }

    private static Violation inCalibrated(Obstacle obstacle, String backend, String scheme, String layout) {
        String pointer = switch (obstacle.part()) {
            case BACKEND -> backend;
            case LINEAR_QUANTIZATION, NON_EXPERT_QUANTIZATION -> scheme;
            case CACHE_QUANTIZATION -> "/engine/kv_cache_dtype";
            case MODEL -> "/model_id";
            case TENSOR_PARALLEL, PIPELINE_PARALLEL, EXPERT_PARALLEL, EXPERT_REPLICAS, DECODE_CONTEXT_PARALLEL ->
                layout;
            case DRAFT_TOKENS -> "/speculation/num_draft_tokens";
            // Only the roofline asks for these.
            case COMPILATION, SHARED_EXPERTS -> "/cost_model";
        };
        return new Violation(pointer, "cannot be used: " + obstacle.reason());
    }
}

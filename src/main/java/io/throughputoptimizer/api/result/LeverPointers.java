package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.explain.Lever;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fields of a request that a change sets.
///
/// @param devices names of kinds of device that the request can set one by one
/// @param limits of the request, which says the one on TPOT in one of two ways
/// @param calibrated whether the request is of cost model `calibrated`
/// @param isAlone whether the request has one kind of device
record LeverPointers(List<String> devices, Limits limits, boolean calibrated, boolean isAlone) {
    static final String USER_SPEED = "/slo/tokens_per_s_per_user";
    private static final String COUNT = "/num_devices";

    /// @param device that is explained
    @Nullable
    String of(Lever lever, String device) {
        return switch (lever) {
            case Lever.Limit.TTFT_LIMIT -> "/slo/ttft_ms";
            case Lever.Limit.TPOT_LIMIT -> limits.ofUserSpeed() ? USER_SPEED : "/slo/tpot_ms";
            case Lever.Limit.E2E_LATENCY_LIMIT -> "/slo/e2e_latency_ms";
            case DeviceFigure _, Lever.FigureOf _ -> null;
            case Lever.Transfer.KV_TRANSFER_RATE -> "/pd_ratio/kv_transfer/gb_per_s";
            case Lever.CountOf(String counted) -> PerDevice.place(COUNT, counted);
            case Choice.DEVICE -> place(device);
            case Choice choice -> of(choice);
        };
    }

    /// Returns the pointer to a kind of device in the request; null if the request does not list it.
    private @Nullable String place(String device) {
        int place = devices.indexOf(device);
        return place < 0 ? null : "/devices/" + place;
    }

    private @Nullable String of(Choice choice) {
        return switch (choice) {
            case DEVICE_COUNT -> COUNT;
            case PREFILL_DEVICES -> "/pd_ratio/prefill_devices_per_instance";
            case DECODE_DEVICES -> "/pd_ratio/decode_devices_per_instance";
            case INPUT_LENGTH -> "/workload/input_length";
            case PREFIX_CACHE_HIT_RATE -> "/workload/prefix_cache_hit_rate";
            case REQUEST_RATE -> "/traffic/request_rate";
            case LEAST_CONCURRENCY -> "/objective/min_concurrency";
            case TENSOR_PARALLEL -> "/search/tp_sizes";
            case DATA_PARALLEL -> "/search/dp_sizes";
            case EXPERT_PARALLEL -> "/search/ep_sizes";
            case CACHE_QUANTIZATION -> byModel("/quantization/attention", "/engine/kv_cache_dtype");
            case LINEAR_QUANTIZATION -> byModel("/quantization/linear", "/quantization/scheme");
            case MAX_BATCHED_TOKENS -> byModel("/search/max_batched_tokens", "/engine/max_batched_tokens");
            case NON_EXPERT_QUANTIZATION -> byModel("/quantization/non_expert_linear", null);
            case DRAFT_TOKENS -> byModel("/serving/num_mtp_tokens", null);
            case DEVICE -> null;
        };
    }

    /// Returns the field of a cost model. A calibrated request has none for one of several kinds of device.
    private @Nullable String byModel(String analytic, @Nullable String ofCalibrated) {
        return !calibrated ? analytic : isAlone ? ofCalibrated : null;
    }
}

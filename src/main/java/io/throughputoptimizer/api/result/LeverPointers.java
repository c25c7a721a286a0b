package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.explain.Lever;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Fields of a request that a change sets.
///
/// @param devices names of kinds of device that the request can set one by one
/// @param limits of the request, which says the one on TPOT in one of two ways
/// @param choices where its cost model has what is chosen; absent for what has no member of its own
record LeverPointers(List<String> devices, Limits limits, Function<Choice, @Nullable String> choices) {
    static final String USER_SPEED = "/slo/tokens_per_s_per_user";
    private static final String COUNT = "/num_devices";

    /// @param device that is explained
    @Nullable
    String of(Lever lever, String device) {
        return switch (lever) {
            case Lever.Limit.TTFT_LIMIT -> "/slo/ttft_ms";
            case Lever.Limit.TPOT_LIMIT -> limits.ofUserSpeed() ? USER_SPEED : "/slo/tpot_ms";
            case Lever.Limit.REQUEST_LATENCY_LIMIT -> "/slo/request_latency_ms";
            case DeviceFigure _, Lever.FigureOf _ -> null;
            case Lever.Transfer.KV_TRANSFER_RATE -> "/pd_ratio/kv_transfer/gb_per_s";
            case Lever.CountOf(String counted) -> PerDevice.place(COUNT, counted);
            case Choice.DEVICE -> place(device);
            case Choice choice -> choices.apply(choice);
        };
    }

    /// Returns the pointer to a kind of device in the request; null if the request does not list it.
    private @Nullable String place(String device) {
        int place = devices.indexOf(device);
        return place < 0 ? null : "/devices/" + place;
    }

    /// Returns the field of cost model `analytic`.
    static @Nullable String byRoofline(Choice choice) {
        return switch (choice) {
            case CACHE_QUANTIZATION -> "/quantization/attention";
            case LINEAR_QUANTIZATION -> "/quantization/linear";
            case NON_EXPERT_QUANTIZATION -> "/quantization/non_expert_linear";
            case DRAFT_TOKENS -> "/serving/num_mtp_tokens";
            case TOKEN_BUDGET -> "/search/max_batched_tokens";
            case DEVICE_COUNT,
                    PREFILL_DEVICES,
                    DECODE_DEVICES,
                    INPUT_LENGTH,
                    PREFIX_CACHE_HIT_RATE,
                    REQUEST_RATE,
                    TENSOR_PARALLEL,
                    DATA_PARALLEL,
                    EXPERT_PARALLEL,
                    DEVICE,
                    LEAST_CONCURRENCY -> common(choice);
        };
    }

    /// Returns the field of cost model `calibrated`.
    ///
    /// @param alone whether there is one kind of device: what it alone is changed in has no member else
    static @Nullable String measured(Choice choice, boolean alone) {
        return switch (choice) {
            case CACHE_QUANTIZATION -> alone ? "/engine/kv_cache" : null;
            case LINEAR_QUANTIZATION -> alone ? "/quantization/scheme" : null;
            case TOKEN_BUDGET -> alone ? "/engine/token_budget" : null;
            case DEVICE_COUNT,
                    PREFILL_DEVICES,
                    DECODE_DEVICES,
                    INPUT_LENGTH,
                    PREFIX_CACHE_HIT_RATE,
                    NON_EXPERT_QUANTIZATION,
                    DRAFT_TOKENS,
                    REQUEST_RATE,
                    TENSOR_PARALLEL,
                    DATA_PARALLEL,
                    EXPERT_PARALLEL,
                    DEVICE,
                    LEAST_CONCURRENCY -> common(choice);
        };
    }

    /// Returns the field that both cost models share.
    private static @Nullable String common(Choice choice) {
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
            case CACHE_QUANTIZATION, LINEAR_QUANTIZATION, NON_EXPERT_QUANTIZATION, DRAFT_TOKENS, TOKEN_BUDGET, DEVICE ->
                null;
        };
    }
}

package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.PerDevice;
import io.throughputoptimizer.api.result.ExplanationResponse.Pointers;
import io.throughputoptimizer.core.explain.Change;
import io.throughputoptimizer.core.explain.Change.Setting;
import io.throughputoptimizer.core.explain.Lever;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that is set to something else.
@Schema(name = "Change", description = "One thing that is set to something else.")
public record ChangeResponse(
        @Schema(
                description = "What is changed. `memory_size` is that of each device; bandwidths, rates, latencies and"
                        + " static costs are all of their kind together, in percent of the device's."
                        + " `prefill_devices` and `decode_devices` are those of one instance;"
                        + " `user_speed_limit` is the TPOT limit of requests that say it as"
                        + " `tokens_per_s_per_user`: lower where that limit is higher;"
                        + " `least_concurrency` is the objective's `min_concurrency`, `kv_transfer_rate` the"
                        + " `gb_per_s` of `kv_transfer`. `tensor_parallel`, `data_parallel` and `expert_parallel` are"
                        + " lists of sizes to try, `[]` for powers of two; `device` is another kind of device.",
                allowableValues = {
                    "ttft_limit",
                    "tpot_limit",
                    "user_speed_limit",
                    "request_latency_limit",
                    "device_count",
                    "prefill_devices",
                    "decode_devices",
                    "input_length",
                    "tensor_parallel",
                    "data_parallel",
                    "expert_parallel",
                    "device",
                    "memory_size",
                    "memory_bandwidth",
                    "matrix_rate",
                    "link_bandwidth",
                    "link_latency",
                    "static_costs",
                    "cache_quantization",
                    "linear_quantization",
                    "non_expert_quantization",
                    "draft_tokens",
                    "token_budget",
                    "prefix_cache_hit_rate",
                    "request_rate",
                    "least_concurrency",
                    "kv_transfer_rate"
                })
        String lever,

        @Schema(
                description =
                        "Name of the device whose figure it is, where pairs are of two, or whose count, where each"
                                + " has its own.",
                example = "H100_SXM")
        @Nullable
        String device,

        @Schema(
                description = "Its setting in the request.",
                types = {"number", "string", "array"},
                example = "50")
        Object from,

        @Schema(
                description = "What it is set to.",
                types = {"number", "string", "array"},
                example = "55")
        Object to,

        @Schema(description = "Unit of both; absent for names and shares.", example = "ms") @Nullable
        String unit,

        @Schema(
                description =
                        "The member of the request to set, as a JSON pointer; absent for what a device profile says.",
                example = "/slo/tpot_ms")
        @Nullable
        String pointer,

        @Schema(
                description = "Type of the KV cache that comes with another scheme where the request leaves it open;"
                        + " absent where it stays as it is.",
                example = "bf16")
        @Nullable
        String kvCache,

        @Schema(
                description =
                        "Of a count of devices: those that stand idle, for fewer of them serve more than all in one"
                                + " plan; absent where none do. A request for as many as work is answered with the plan.",
                example = "2")
        @Nullable
        Integer idle) {
    private static final String USER_SPEED = "/slo/tokens_per_s_per_user";
    private static final double MILLIS = 1000;
    private static final String COUNT = "/num_devices";

    static ChangeResponse from(Change change, Pointers pointers) {
        Lever lever = change.lever();
        String pointer = pointers.of(lever);
        boolean ofUsers = USER_SPEED.equals(pointer);
        return new ChangeResponse(
                ofUsers ? "user_speed_limit" : name(lever),
                device(lever),
                ofUsers ? speed(change.from()) : value(change.from()),
                ofUsers ? speed(change.to()) : value(change.to()),
                ofUsers ? "tokens/s" : lever.unit().isEmpty() ? null : lever.unit(),
                pointer,
                change.cache(),
                change.idle() == 0 ? null : change.idle());
    }

    private static @Nullable String device(Lever lever) {
        return switch (lever) {
            case Lever.FigureOf(var _, String device) -> device;
            case Lever.CountOf(String device) -> device;
            case Lever.Limit _, DeviceFigure _, Lever.Transfer _, Choice _ -> null;
        };
    }

    static String name(Lever lever) {
        return switch (lever) {
            case Lever.FigureOf(DeviceFigure figure, var _) -> WireFormat.name(figure);
            case Lever.CountOf _ -> WireFormat.name(Choice.DEVICE_COUNT);
            case Lever.Limit limit -> WireFormat.name(limit);
            case DeviceFigure figure -> WireFormat.name(figure);
            case Lever.Transfer transfer -> WireFormat.name(transfer);
            case Choice choice -> WireFormat.name(choice);
        };
    }

    /// Of a TPOT limit the highest speed whose limit is at least that: what keeps the one keeps the other.
    private static Object speed(Setting setting) {
        if (!(setting instanceof Change.Amount(double millis))) {
            return value(setting);
        }
        double speed = Math.nextUp(MILLIS / millis);
        while (MILLIS / speed < millis) {
            speed = Math.nextDown(speed);
        }
        return speed;
    }

    private static Object value(Setting setting) {
        return switch (setting) {
            case Change.Amount(double amount) -> amount;
            case Change.Kind(String name) -> name;
            case Change.Sizes(List<Integer> sizes) -> sizes;
        };
    }

    /// Where a request names a kind of device, by its place among those of the problem; absent where it is not there by
    /// itself.
    static @Nullable String device(List<String> devices, String name) {
        int place = devices.indexOf(name);
        return place < 0 ? null : "/devices/" + place;
    }

    /// Where cost model `analytic` has it.
    static @Nullable String pointer(Lever lever, Limits limits) {
        return switch (lever) {
            case Lever.Limit limit -> limit(limit, limits);
            case DeviceFigure _, Lever.FigureOf _ -> null;
            case Lever.Transfer transfer -> transfer(transfer);
            case Lever.CountOf(String device) -> count(device);
            case Choice choice -> choice(choice);
        };
    }

    private static @Nullable String choice(Choice choice) {
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

    /// @param limits of the request, which says the one on TPOT in one of two ways
    static String limit(Lever.Limit limit, Limits limits) {
        return switch (limit) {
            case TTFT_LIMIT -> "/slo/ttft_ms";
            case TPOT_LIMIT -> limits.ofUserSpeed() ? USER_SPEED : "/slo/tpot_ms";
            case REQUEST_LATENCY_LIMIT -> "/slo/request_latency_ms";
        };
    }

    static String transfer(Lever.Transfer transfer) {
        return switch (transfer) {
            case KV_TRANSFER_RATE -> "/pd_ratio/kv_transfer/gb_per_s";
        };
    }

    /// Where the number of devices of a kind is.
    static String count(String device) {
        return PerDevice.place(COUNT, device);
    }

    /// The lever, and of which device where there are two.
    public String named() {
        return device == null ? lever : lever + " of " + device;
    }

    /// Of what both cost models have in the same place; absent for the rest.
    static @Nullable String common(Choice choice) {
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

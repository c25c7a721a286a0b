package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.explain.Change;
import io.throughputoptimizer.core.explain.Change.Setting;
import io.throughputoptimizer.core.explain.Lever;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that is set to something else.
@Schema(name = "Change")
public record ChangeResponse(
        @Schema(
                allowableValues = {
                    "ttft_limit",
                    "tpot_limit",
                    "user_speed_limit",
                    "e2e_latency_limit",
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
                    "max_batched_tokens",
                    "prefix_cache_hit_rate",
                    "request_rate",
                    "least_concurrency",
                    "kv_transfer_rate"
                })
        String lever,

        @Nullable String device,
        @Schema(types = {"number", "string", "array"}) Object from,
        @Schema(types = {"number", "string", "array"}) Object to,
        @Nullable String unit,
        @Nullable String pointer,
        @Nullable String kvCacheDtype,
        @Nullable Integer idle) {
    private static final double MILLIS = 1000;

    /// @param explained kind of device
    static ChangeResponse from(Change change, LeverPointers pointers, String explained) {
        Lever lever = change.lever();
        String pointer = pointers.of(lever, explained);
        boolean ofUsers = LeverPointers.USER_SPEED.equals(pointer);
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

    /// Returns the user speed of a TPOT limit: the highest speed whose limit is at least that.
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

    /// The lever, and of which device where there are two.
    public String named() {
        return device == null ? lever : lever + " of " + device;
    }
}

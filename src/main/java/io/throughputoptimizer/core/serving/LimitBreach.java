package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.workload.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A limit that a serving point breaks, and by how much.
public sealed interface LimitBreach {

    /// Describes the limit and the excess, for people.
    String description();

    /// Returns the required amount divided by the limit; above 1.
    double ofLimit();

    /// A pass needs more device memory than there is.
    record OutOfMemory(MemoryFootprint memory) implements LimitBreach {
        @Override
        public String description() {
            double needed = memory.peakBytes() / MemoryFootprint.GIB;
            double usable = (memory.capacityBytes() - memory.reservedBytes()) / MemoryFootprint.GIB;
            int decimals = Decimals.toTell(needed, usable);
            return "needs " + Decimals.fixed(needed, decimals) + " GB of " + Decimals.fixed(usable, decimals) + " GB";
        }

        @Override
        public double ofLimit() {
            return memory.peakBytes() / (memory.capacityBytes() - memory.reservedBytes());
        }
    }

    /// The first token comes too late.
    record TtftExceeded(double millis, double limitMillis) implements LimitBreach {
        @Override
        public String description() {
            return exceeds("TTFT", millis, limitMillis);
        }

        @Override
        public double ofLimit() {
            return millis / limitMillis;
        }
    }

    /// Tokens come too slowly.
    record TpotExceeded(double millis, double limitMillis) implements LimitBreach {
        @Override
        public String description() {
            return exceeds("TPOT", millis, limitMillis);
        }

        @Override
        public double ofLimit() {
            return millis / limitMillis;
        }
    }

    /// Whole answers take too long.
    record RequestLatencyExceeded(double millis, double limitMillis) implements LimitBreach {
        @Override
        public String description() {
            return exceeds("request latency", millis, limitMillis);
        }

        @Override
        public double ofLimit() {
            return millis / limitMillis;
        }
    }

    /// First limit broken: memory (`available < 0`), then TPOT, then TTFT, then that of whole
    /// answers (each above its limit; equal keeps it).
    static Optional<LimitBreach> first(ServingPoint point, Limits limits) {
        return all(point, limits).stream().findFirst();
    }

    /// Returns all broken limits, in that order; if memory is short only that, since latencies mean nothing then.
    static List<LimitBreach> all(ServingPoint point, Limits limits) {
        MemoryFootprint memory = point.costs().memory();
        return memory.availableBytes() < 0 ? List.of(new OutOfMemory(memory)) : latencies(point.figures(), limits);
    }

    /// Returns all latency limits broken, in the same order. An absent latency or limit breaks nothing.
    static List<LimitBreach> latencies(Figures figures, Limits limits) {
        List<LimitBreach> broken = new ArrayList<>();
        Double tpotMillis = figures.tpotMillis();
        Double tpotLimit = limits.tpotMillis();
        if (tpotMillis != null && tpotLimit != null && tpotMillis > tpotLimit) {
            broken.add(new TpotExceeded(tpotMillis, tpotLimit));
        }
        Double ttftMillis = figures.ttftMillis();
        Double ttftLimit = limits.ttftMillis();
        if (ttftMillis != null && ttftLimit != null && ttftMillis > ttftLimit) {
            broken.add(new TtftExceeded(ttftMillis, ttftLimit));
        }
        Double requestLatencyMillis = figures.requestLatencyMillis();
        Double wholeLimit = limits.requestLatencyMillis();
        if (requestLatencyMillis != null && wholeLimit != null && requestLatencyMillis > wholeLimit) {
            broken.add(new RequestLatencyExceeded(requestLatencyMillis, wholeLimit));
        }
        return broken;
    }

    /// A limit that a lasting load breaks, in the same words.
    ///
    /// @param percentile percentile that the limits apply to; null if they apply to means
    static String description(Breach breach, @Nullable Double percentile) {
        double value = breach.value();
        double allowed = breach.allowed();
        String statistic = percentile == null ? "" : "percentile " + Decimals.shortest(percentile) + " of ";
        return switch (breach.limit()) {
            case KV_TOKENS ->
                "a request needs " + Decimals.fixed(value, 0) + " tokens of KV cache, and a rank has "
                        + Decimals.fixed(Math.max(0, allowed), 0);
            case TTFT_MILLIS -> statistic + new TtftExceeded(value, allowed).description();
            case TPOT_MILLIS -> statistic + new TpotExceeded(value, allowed).description();
            case REQUEST_LATENCY_MILLIS -> statistic + new RequestLatencyExceeded(value, allowed).description();
            case CONCURRENCY ->
                "the least concurrency takes " + Decimals.fixed(value, 0) + " requests at once, and at most "
                        + Decimals.fixed(allowed, 0) + " can be tried";
            case REQUEST_RATE ->
                Decimals.general(value) + " requests per second saturate it: at most " + Decimals.general(allowed)
                        + " do not";
        };
    }

    /// Memory that a rank with one request needs of a device, by part, all in bytes.
    static String shortage(double device, double weights, double engine, double request) {
        return "needs " + gib(weights + engine + request) + " of " + gib(device) + " per device: weights "
                + gib(weights) + ", engine " + gib(engine) + ", one request " + gib(request);
    }

    private static String gib(double bytes) {
        return Decimals.fixed(bytes / MemoryFootprint.GIB, 1) + " GiB";
    }

    private static String exceeds(String name, double millis, double limitMillis) {
        int decimals = Decimals.toTell(millis, limitMillis);
        return name + " " + Decimals.fixed(millis, decimals) + " ms exceeds " + Decimals.shortest(limitMillis)
                + " ms by " + Decimals.fixed(millis - limitMillis, decimals) + " ms";
    }
}

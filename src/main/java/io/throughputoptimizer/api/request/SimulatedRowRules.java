package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.LimitsRequest.TtftBasisName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules of what a calibrated search simulates.
final class SimulatedRowRules {
    private static final int MOST_REQUESTS = 100_000;
    private static final int LARGEST_UNASKED = 512;
    /// From here on a simulation has more requests than are outstanding, however few those are.
    static final double FEWEST_SETTLED_WAVES = 1.5;
    private static final String NEEDED = "requires simulation. Set percentiles to true or slo.percentile, or remove it";

    private final OptimizationRequest request;
    private final TrafficRequest traffic;
    private final List<Violation> broken = new ArrayList<>();

    private SimulatedRowRules(OptimizationRequest request) {
        this.request = request;
        this.traffic = requireNonNullElse(request.traffic(), TrafficRequest.DEFAULT);
    }

    static List<Violation> broken(OptimizationRequest request) {
        SimulatedRowRules rules = new SimulatedRowRules(request);
        if (request.isSimulated()) {
            rules.checkSimulated();
        } else {
            rules.refuse("/traffic/request_rate", rules.traffic.requestRate(), NEEDED);
            rules.refuse("/traffic/think_ms", rules.traffic.thinkMs(), NEEDED);
        }
        rules.checkTraffic();
        return rules.broken;
    }

    private void checkTraffic() {
        request.workload().unspread(traffic.spreadsLengths()).ifPresent(broken::add);
        if (traffic.requestRate() == null) {
            refuse(
                    "/traffic/requests",
                    traffic.requests(),
                    "applies only with traffic.request_rate. To control benchmark length at fixed concurrency, use"
                            + " traffic.waves");
            refuse("/traffic/seed", traffic.seed(), "applies only with traffic.request_rate. Remove it");
        } else {
            refuse(
                    "/traffic/think_ms",
                    traffic.thinkMs(),
                    "must not be combined with traffic.request_rate: open-loop clients do not wait for responses."
                            + " Remove think_ms");
        }
    }

    private void checkSimulated() {
        LimitsRequest limits = request.slo();
        if (limits.percentile() != null && limits.ttftMs() == null && limits.tpotLimitMs() == null) {
            report("/slo/percentile", "requires slo.ttft_ms or slo.tpot_ms. Set one of them");
        }
        ConversationRequest conversation = request.workload().conversation();
        if (conversation != null) {
            refuse(
                    "/traffic/request_rate",
                    traffic.requestRate(),
                    "must not be combined with workload.conversation, which is closed-loop. Use traffic.concurrency");
            refuse(
                    "/traffic/think_ms",
                    traffic.thinkMs(),
                    "must not be combined with workload.conversation. Use workload.conversation.think_time_s");
            if (conversation.isAlone() && conversation.findsPrefixes()) {
                report(
                        "/workload/conversation/system_tokens",
                        "must be 0 for single turns when percentiles are simulated: simulations do not model a prefix cache");
            }
        }
        if (request.workload().prefixCacheHitRate() > 0) {
            report(
                    "/workload/prefix_cache_hit_rate",
                    "must be 0 when percentiles are simulated: simulations do not model a prefix cache. Remove"
                            + " percentiles, or set it to 0");
        }
        EngineRequest engine = request.engine();
        Integer interval = engine == null ? null : engine.pollInterval();
        if (interval != null && interval > 1) {
            report("/engine/poll_interval", "must be 1 when percentiles are simulated, got " + interval);
        }
        checkWaves();
    }

    private void checkWaves() {
        List<Integer> range = request.search().batchRange();
        int most = range == null || range.isEmpty() ? LARGEST_UNASKED : range.getLast();
        if (traffic.requestRate() == null && traffic.wavesOrDefault() * most > MOST_REQUESTS) {
            report(
                    "/traffic/waves",
                    "must be at most " + MOST_REQUESTS / most + " with " + most + " requests per rank, got "
                            + traffic.wavesOrDefault() + ". Reduce waves or batch_range");
        }
        if (traffic.requestRate() == null
                && request.slo().ttftBasis() == TtftBasisName.SETTLED
                && traffic.wavesOrDefault() < FEWEST_SETTLED_WAVES) {
            report(
                    "/traffic/waves",
                    "must be at least " + FEWEST_SETTLED_WAVES
                            + " with slo.ttft_basis settled, which excludes the first wave, got "
                            + traffic.wavesOrDefault());
        }
    }

    private void refuse(String pointer, @Nullable Object value, String message) {
        if (value != null) {
            report(pointer, message);
        }
    }

    private void report(String pointer, String message) {
        broken.add(new Violation(pointer, message));
    }
}

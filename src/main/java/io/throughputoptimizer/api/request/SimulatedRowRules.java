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
    private static final double FEWEST_SETTLED_WAVES = 1.5;
    private static final String NEEDED = "is given: only simulations know it; ask for percentiles or slo.percentile";

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
            refuse("/traffic/requests", traffic.requests(), "is given: it is for request_rate; waves does here");
            refuse("/traffic/seed", traffic.seed(), "is given: it is for request_rate");
        } else {
            refuse("/traffic/think_ms", traffic.thinkMs(), "is given: requests that come at a rate wait for no answer");
        }
    }

    private void checkSimulated() {
        LimitsRequest limits = request.slo();
        if (limits.percentile() != null && limits.ttftMs() == null && limits.tpotLimitMs() == null) {
            report("/slo/percentile", "is given: ttft_ms or tpot_ms says what it must keep");
        }
        ConversationRequest conversation = request.workload().conversation();
        if (conversation != null) {
            refuse(
                    "/traffic/request_rate",
                    traffic.requestRate(),
                    "is given: a turn of a conversation waits for the answer to the one before");
            refuse("/traffic/think_ms", traffic.thinkMs(), "is given: workload.conversation has think_time_s");
            if (conversation.isAlone() && conversation.findsPrefixes()) {
                report(
                        "/workload/conversation/system_tokens",
                        "is above 0: single turns are simulated without a prefix cache");
            }
        }
        if (request.workload().prefixCacheHitRate() > 0) {
            report("/workload/prefix_cache_hit_rate", "is above 0: no simulation knows a prefix cache");
        }
        EngineRequest engine = request.engine();
        Integer interval = engine == null ? null : engine.pollInterval();
        if (interval != null && interval > 1) {
            report("/engine/poll_interval", "is " + interval + ": simulations poll at every step, as 1 does");
        }
        checkWaves();
    }

    private void checkWaves() {
        List<Integer> range = request.search().batchRange();
        int most = range == null || range.isEmpty() ? LARGEST_UNASKED : range.getLast();
        if (traffic.requestRate() == null && traffic.waves() * most > MOST_REQUESTS) {
            report(
                    "/traffic/waves",
                    "is " + traffic.waves() + ": times " + most + " requests of a rank at most " + MOST_REQUESTS
                            + " are simulated; fewer waves or a shorter batch_range would do");
        }
        if (traffic.requestRate() == null
                && request.slo().ttftBasis() == TtftBasisName.SETTLED
                && traffic.waves() < FEWEST_SETTLED_WAVES) {
            report(
                    "/traffic/waves",
                    "is " + traffic.waves() + ": slo.ttft_basis settled leaves the first wave out of what is simulated;"
                            + " at least " + FEWEST_SETTLED_WAVES + " are needed");
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

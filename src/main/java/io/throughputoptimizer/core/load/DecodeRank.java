package io.throughputoptimizer.core.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A simulated rank that only decodes, with all requests that its cache holds in one batch: a request whose KV
/// cache has arrived joins at the end of the running step if it fits.
final class DecodeRank {
    private final RequestTimes requests;
    private final DecodeBatch batch;
    private final Room room;
    private final @Nullable TurnClients turns;
    private final ArrayDeque<Arrived> waiting = new ArrayDeque<>();
    /// Requests without a first token.
    private final List<Integer> fresh = new ArrayList<>();

    private double reserved;
    /// End of the last step, and the number of planned steps after it.
    private double clock;

    private long planned;
    private int plan;
    private double busyMillis;
    private double requestMillis;
    private double waitMillis;
    private long evaluations;

    /// Capacity of a rank.
    ///
    /// @param mostRunning maximum batch size
    record Room(double kvTokens, CacheUse use, int mostRunning) {}

    private record Arrived(int request, double millis) {}

    /// Creates a rank.
    ///
    /// @param turns observer of steps for conversation turns; absent otherwise
    DecodeRank(StepPrices prices, RequestTimes requests, Room room, @Nullable TurnClients turns) {
        this.requests = requests;
        this.batch = new DecodeBatch(prices, requests);
        this.room = room;
        this.turns = turns;
    }

    /// Returns the number of waiting and decoding requests.
    int load() {
        return waiting.size() + batch.size();
    }

    /// Adds a request whose KV cache has arrived.
    ///
    /// @return whether the plan changed
    boolean arrive(int request, double millis) {
        waiting.add(new Arrived(request, millis));
        if (batch.size() == 0) {
            boolean first = waiting.size() == 1;
            clock = millis;
            return first && replan(0);
        }
        return waiting.size() == 1
                && hasRoom(request)
                && planned > 1
                && replan(batch.stepsUntil(millis - clock, planned));
    }

    private boolean replan(long steps) {
        planned = steps;
        plan++;
        return true;
    }

    /// Returns the end of the planned steps.
    double end() {
        return planned == 0 ? clock : clock + batch.runMillis(planned);
    }

    /// Returns the number of the current plan.
    int plan() {
        return plan;
    }

    /// Completes the planned steps: finished requests leave, waiting requests join if they fit, and the next
    /// steps are planned.
    ///
    /// @return requests that got their last token
    List<Integer> takeSteps(Timeline timeline) {
        List<Integer> ended = new ArrayList<>();
        if (planned > 0) {
            run(timeline);
            while (batch.hasEnded()) {
                int request = batch.removeEnded();
                requests.lastToken(request, clock);
                reserved -= room.use.of(requests.tokens(request));
                ended.add(request);
            }
        }
        admit(timeline);
        if (batch.size() > 0) {
            replan(fresh.isEmpty() ? batch.stepsToLastToken() : 1);
        } else {
            planned = 0;
        }
        return ended;
    }

    private void run(Timeline timeline) {
        double end = end();
        evaluations += 2;
        timeline.advance(clock, end, batch.size(), 0, batch.stepTokens() * planned);
        busyMillis += end - clock;
        requestMillis += (end - clock) * batch.size();
        batch.decoded(planned);
        if (turns != null) {
            turns.decode(planned, batch.size(), batch.contextOfLast(planned));
        }
        clock = end;
        fresh.forEach(request -> requests.firstToken(request, clock));
        fresh.clear();
    }

    private void admit(Timeline timeline) {
        while (!waiting.isEmpty() && (batch.size() == 0 || hasRoom(waiting.peek().request))) {
            Arrived next = waiting.remove();
            reserved += room.use.of(requests.tokens(next.request));
            waitMillis += clock - next.millis;
            timeline.addWaiting(next.millis, clock);
            requests.decodesFrom(next.request, clock);
            batch.add(next.request);
            fresh.add(next.request);
        }
    }

    private boolean hasRoom(int request) {
        return batch.size() < room.mostRunning && reserved + room.use.of(requests.tokens(request)) <= room.kvTokens;
    }

    boolean isDecoding() {
        return batch.size() > 0;
    }

    long evaluations() {
        return evaluations;
    }

    double busyMillis() {
        return busyMillis;
    }

    /// Returns the total decode time of all requests.
    double requestMillis() {
        return requestMillis;
    }

    /// Returns the total waiting time of all requests.
    double waitMillis() {
        return waitMillis;
    }
}

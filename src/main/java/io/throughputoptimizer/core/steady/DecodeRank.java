package io.throughputoptimizer.core.steady;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A rank of a simulation that decodes alone, all requests that its cache holds together: one whose cache has arrived
/// joins at the end of the step that runs, when there is room.
final class DecodeRank {
    private final RequestTimes requests;
    private final DecodeBatch batch;
    private final Room room;
    private final @Nullable TurnClients turns;
    private final ArrayDeque<Arrived> waiting = new ArrayDeque<>();
    /// Those that have no token yet.
    private final List<Integer> fresh = new ArrayList<>();

    private double reserved;
    /// The end of the last step, and how many follow as planned.
    private double clock;

    private long planned;
    private int plan;
    private double busyMillis;
    private double requestMillis;
    private double waitMillis;
    private long evaluations;

    /// What a rank holds.
    ///
    /// @param mostRunning requests at once
    record Room(double kvTokens, CacheUse use, int mostRunning) {}

    private record Arrived(int request, double millis) {}

    /// @param turns told of steps where requests are turns of conversations
    DecodeRank(StepPrices prices, RequestTimes requests, Room room, @Nullable TurnClients turns) {
        this.requests = requests;
        this.batch = new DecodeBatch(prices, requests);
        this.room = room;
        this.turns = turns;
    }

    /// Requests that wait or decode.
    int load() {
        return waiting.size() + batch.size();
    }

    /// The cache of a request has arrived.
    ///
    /// @return whether the plan is another one now
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

    /// When the planned steps end.
    double end() {
        return planned == 0 ? clock : clock + batch.runMillis(planned);
    }

    /// Tells plans apart.
    int plan() {
        return plan;
    }

    /// The planned steps have been taken: those that are through leave, those that wait join as far as there is room,
    /// and the next steps are planned.
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

    /// Times of all requests that decoded, in sum.
    double requestMillis() {
        return requestMillis;
    }

    /// Of all requests, in sum.
    double waitMillis() {
        return waitMillis;
    }
}

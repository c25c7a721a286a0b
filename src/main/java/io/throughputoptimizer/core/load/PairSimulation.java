package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.Arrivals.ClosedLoop;
import io.throughputoptimizer.core.load.Arrivals.OpenLoop;
import io.throughputoptimizer.core.load.Arrivals.Recorded;
import io.throughputoptimizer.core.load.Arrivals.Turns;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.RequestTimes.FirstToken;
import io.throughputoptimizer.core.load.SimulationResult.Sides;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Request-level simulation of disaggregated prefill and decode ranks; [DisaggregatedLaw] computes their means.
/// Used once, by one thread.
///
/// A request goes to the prefill rank with the fewest requests, the first of equal ones. The rank computes one
/// whole prompt at a time, in `prefill(isl, isl^2/2)`. The KV transfer blocks neither side. Then the request
/// goes to the decode rank with the fewest requests and joins its batch ([DecodeRank]). Its first token is that
/// of its first decode step, as in the law: `osl / a` steps, rounded up, if a step yields `a` tokens.
///
/// Prefill ranks cache the prompts of turns that they computed, and evict the oldest first (LRU); they never
/// see outputs, and decode ranks cache nothing after a response. A turn goes to the rank of its previous turn,
/// hits that prompt unless it was evicted, and its whole KV cache is transferred. Among ranks with equally few
/// requests a conversation starts on the one with the fewest conversations.
///
/// Simultaneous events run in this order: sendings, ends of prompts, arrivals of caches, ends of steps; events
/// of one kind in the order of their scheduling.
public final class PairSimulation {
    private static final int EVENTS_PER_CHECK = 256;

    private final StepPrices prompts;
    private final RequestTimes requests;
    private final PrefillRank[] prefill;
    private final DecodeRank[] decode;
    private final IntToDoubleFunction transferMillis;
    private final Arrivals arrivals;
    /// Clients of conversation turns; absent for independent requests.
    private final @Nullable TurnClients turns;

    private final CacheUse promptUse;
    private final Timeline timeline = new Timeline();
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingDouble(Event::millis).thenComparing(Event::kind).thenComparingLong(Event::number));
    private long known;
    private int sent;
    private int finished;
    private double prefillWait;
    private double transfer;

    private enum Kind {
        SENT,
        PREFILLED,
        HANDED_OVER,
        DECODED
    }

    /// Scheduled event.
    ///
    /// @param subject rank, request, or sending client
    /// @param detail request of an ended prompt, or plan of decode steps
    private record Event(double millis, Kind kind, long number, int subject, int detail) {}

    private PairSimulation(Workers prefill, Workers decode, IntToDoubleFunction transferMillis, SimulatedLoad load) {
        ServingRank decoding = decode.rank();
        this.prompts = new StepPrices(prefill.rank(), 0);
        this.requests = new RequestTimes(
                load.lengths(), load.requests(), decoding.step().tokensPerStep(), FirstToken.OF_DECODE);
        int outstanding = load.arrivals().outstanding(load.requests());
        int most = Math.min(outstanding, decoding.engine().scheduling().maxRunning());
        this.prefill = Stream.generate(PrefillRank::new).limit(prefill.ranks()).toArray(PrefillRank[]::new);
        StepPrices steps = new StepPrices(decoding, most);
        this.arrivals = load.arrivals();
        this.promptUse = prefill.rank().use();
        this.turns = arrivals instanceof Turns clients
                ? new TurnClients(
                        clients,
                        load.requests(),
                        promptUse,
                        prefill.rank().kvTokens(),
                        PrefixCacheRetention.PROMPT,
                        prefill.ranks())
                : null;
        DecodeRank.Room room = new DecodeRank.Room(decoding.kvTokens(), decoding.use(), most);
        this.decode = Stream.generate(() -> new DecodeRank(steps, requests, room, turns))
                .limit(decode.ranks())
                .toArray(DecodeRank[]::new);
        this.transferMillis = transferMillis;
        switch (arrivals) {
            case ClosedLoop _ -> IntStream.range(0, outstanding).forEach(_ -> send(0, 0));
            case OpenLoop open -> Arrays.stream(open.times(load.requests())).forEach(millis -> send(millis, 0));
            case Recorded recorded -> Arrays.stream(recorded.times()).forEach(millis -> send(millis, 0));
            case Turns(int clients, var _, var _) ->
                IntStream.range(0, clients).forEach(client -> send(pauseMillis(), client));
        }
    }

    /// Runs a simulation.
    ///
    /// @param transferMillis KV transfer time by prompt tokens, in ms
    /// @param load load of all ranks
    /// @param checkpoint called repeatedly; may cancel the simulation by an exception
    public static SimulationResult run(
            Workers prefill,
            Workers decode,
            IntToDoubleFunction transferMillis,
            SimulatedLoad load,
            Runnable checkpoint) {
        PairSimulation simulation = new PairSimulation(prefill, decode, transferMillis, load);
        simulation.runAll(checkpoint);
        return simulation.requests.result(
                load.dropped(),
                decode.rank().engine().frontendMillis(),
                load.requests()
                        + Arrays.stream(simulation.decode)
                                .mapToLong(DecodeRank::evaluations)
                                .sum(),
                simulation.timeline,
                simulation.turns == null ? null : simulation.turns.result(),
                simulation.sides());
    }

    private void runAll(Runnable checkpoint) {
        for (long count = 0; finished < requests.count(); count++) {
            if (count % EVENTS_PER_CHECK == 0) {
                checkpoint.run();
            }
            Event event = events.remove();
            switch (event.kind) {
                case SENT -> sent(event.subject, event.millis);
                case PREFILLED -> prefilled(event.subject, event.detail, event.millis);
                case HANDED_OVER -> handedOver(event.subject, event.millis);
                case DECODED -> decoded(event.subject, event.detail);
            }
        }
    }

    private void know(double millis, Kind kind, int subject, int detail) {
        events.add(new Event(millis, kind, known, subject, detail));
        known++;
    }

    /// Schedules a request.
    ///
    /// @param client sending client; 0 if clients do not matter
    private void send(double millis, int client) {
        know(millis, Kind.SENT, client, 0);
    }

    private double pauseMillis() {
        return turns == null ? 0 : turns.pauseMillis();
    }

    /// Numbers requests in the order in which they are sent; drops requests beyond the last.
    private void sent(int client, double millis) {
        if (sent == requests.count()) {
            return;
        }
        int request = sent;
        sent++;
        requests.sendAt(request, millis);
        if (turns != null) {
            requests.ask(request, turns.send(request, client));
        }
        int rank = turns == null
                ? leastLoaded(prefill, PrefillRank::load)
                : turns.place(request, place -> prefill[place].load());
        prefill[rank].add(request);
        beginPrompt(rank, millis);
    }

    private void beginPrompt(int rank, double millis) {
        if (prefill[rank].canBegin()) {
            int request = prefill[rank].begin();
            prefillWait += millis - requests.sent(request);
            timeline.addWaiting(requests.sent(request), millis);
            if (turns != null) {
                requests.find(request, turns.run(request, rank, promptUse.of(requests.input(request))));
            }
            double end = millis + promptMillis(request);
            timeline.advance(millis, end, 1, 0, 0);
            know(end, Kind.PREFILLED, rank, request);
        }
    }

    private double promptMillis(int request) {
        long found = requests.found(request);
        long tokens = requests.input(request) - found;
        return prompts.prefill(tokens, (double) tokens * found + (double) tokens * tokens / 2);
    }

    private void prefilled(int rank, int request, double millis) {
        prefill[rank].end(promptMillis(request));
        if (turns != null) {
            turns.leave(request, rank, 0);
        }
        double moving = transferMillis.applyAsDouble(requests.input(request));
        transfer += moving;
        timeline.addWaiting(millis, millis + moving);
        know(millis + moving, Kind.HANDED_OVER, request, 0);
        beginPrompt(rank, millis);
    }

    private void handedOver(int request, double millis) {
        int rank = leastLoaded(decode, DecodeRank::load);
        if (decode[rank].arrive(request, millis)) {
            awaitSteps(rank);
        }
    }

    private void awaitSteps(int rank) {
        know(decode[rank].end(), Kind.DECODED, rank, decode[rank].plan());
    }

    private void decoded(int rank, int plan) {
        if (plan != decode[rank].plan()) {
            return; // Another request came before the end of these steps.
        }
        for (int request : decode[rank].takeSteps(timeline)) {
            finished++;
            if (turns != null) {
                send(requests.answered(request) + pauseMillis(), turns.client(request));
            } else if (arrivals instanceof ClosedLoop loop) {
                send(requests.answered(request) + loop.pauseMillis(request), 0);
            }
        }
        if (decode[rank].isDecoding()) {
            awaitSteps(rank);
        }
    }

    private static <T> int leastLoaded(T[] ranks, ToIntFunction<T> load) {
        int least = 0;
        for (int rank = 1; rank < ranks.length; rank++) {
            if (load.applyAsInt(ranks[rank]) < load.applyAsInt(ranks[least])) {
                least = rank;
            }
        }
        return least;
    }

    private Sides sides() {
        double makespan = requests.makespanMillis();
        double count = requests.count();
        double decoding =
                Arrays.stream(decode).mapToDouble(DecodeRank::busyMillis).sum();
        return new Sides(
                Arrays.stream(prefill).mapToDouble(PrefillRank::busyMillis).sum() / makespan / prefill.length,
                prefillWait / count,
                transfer / count,
                Arrays.stream(decode).mapToDouble(DecodeRank::waitMillis).sum() / count,
                decoding / makespan / decode.length,
                Arrays.stream(decode).mapToDouble(DecodeRank::requestMillis).sum() / decoding);
    }

    /// A simulated prefill rank, which computes one whole prompt at a time, in the order of arrival.
    static final class PrefillRank {
        private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
        private double busyMillis;
        private boolean busy;

        /// Returns the number of requests that wait or are computed.
        int load() {
            return waiting.size() + (busy ? 1 : 0);
        }

        void add(int request) {
            waiting.add(request);
        }

        boolean canBegin() {
            return !busy && !waiting.isEmpty();
        }

        /// Starts and returns the first waiting request.
        int begin() {
            busy = true;
            return waiting.remove();
        }

        /// Ends the started request.
        ///
        /// @param millis time of its prefill
        void end(double millis) {
            busy = false;
            busyMillis += millis;
        }

        double busyMillis() {
            return busyMillis;
        }
    }
}

package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.Arrivals.ClosedLoop;
import io.throughputoptimizer.core.load.Arrivals.OpenLoop;
import io.throughputoptimizer.core.load.Arrivals.Recorded;
import io.throughputoptimizer.core.load.Arrivals.Turns;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.RequestTimes.FirstToken;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Request-level simulation of one rank. Used once, by one thread.
///
/// A step over `n` decoding requests and prompt tokens takes the time of both. Requests are sent, admitted and
/// prefilled in the order of their numbers, so each stage is a range of numbers. Steps that differ only in the
/// context length are skipped up to the next last token or the next admissible arrival; they take the mean of
/// the first and the last step, which is exact if a step's time is linear in the context. A simulation prices
/// two steps for every request that finishes and one for every step with prompts.
///
/// If a step verifies drafts and yields `a` tokens on average, a request of `osl` tokens takes `(osl - 1) / a`
/// steps, rounded up: tokens beyond its end are lost, as in engines. Draft acceptance is not random: all
/// requests have the same. The budget of a step counts all tokens that it computes, including drafts.
public final class ServingSimulation {
    private static final int STEPS_PER_CHECK = 256;

    private final EngineSettings engine;
    private final double kvTokens;
    private final CacheUse use;
    private final StepPrices prices;
    private final RequestTimes requests;
    private final DecodeBatch batch;
    private final int limit;
    private final Arrivals arrivals;
    private final RetryArrivals resendings = new RetryArrivals();
    /// Clients of conversation turns; absent for independent requests.
    private final @Nullable TurnClients turns;

    private final Timeline timeline = new Timeline();
    private final Composition step = new Composition();
    /// Tokens that a decode step computes for each request.
    private final int tokensComputed;

    /// Numbers below which requests are sent, seen by the scheduler, admitted, and prefilled.
    private int sent;

    private int arrived;
    private int admitted;
    private int prefilled;

    /// Computed prompt tokens of the first unfinished prompt, without its cached tokens.
    private int headDone;

    private double reserved;
    private int finished;
    private long evaluations;
    private double clock;

    /// Contents of the next step.
    private final class Composition {
        private int decoding;
        private long tokens;
        private double pairs;
        private int ended;

        /// Composes a step: decodes first if prefill and decode share a step; prompts in order, the last one
        /// possibly chunked.
        void compose() {
            Scheduling scheduling = engine.scheduling();
            boolean mixed = scheduling.policy() == EngineSettings.Policy.MIXED;
            decoding = mixed || prefilled == admitted ? batch.size() : 0;
            long left = scheduling.tokenBudget() - (mixed ? (long) decoding * tokensComputed : 0);
            tokens = 0;
            pairs = 0;
            ended = 0;
            while (prefilled + ended < admitted && left > 0 && ended < scheduling.maxPrompts()) {
                int length = requests.input(prefilled + ended);
                int done = requests.found(prefilled + ended) + headDone;
                long chunk = Math.min(length - done, left);
                pairs += (double) chunk * done + (double) chunk * chunk / 2;
                tokens += chunk;
                left -= chunk;
                if (done + chunk < length) {
                    headDone += (int) chunk;
                    return;
                }
                headDone = 0;
                ended++;
            }
        }
    }

    private ServingSimulation(ServingRank rank, SimulatedLoad load, StepPrices prices) {
        this.engine = rank.engine();
        this.kvTokens = rank.kvTokens();
        this.use = rank.use();
        this.tokensComputed = rank.step().tokensComputed();
        this.requests = new RequestTimes(
                load.lengths(), load.requests(), rank.step().tokensPerStep(), FirstToken.OF_THE_PROMPT);
        int outstanding = load.arrivals().outstanding(load.requests());
        this.limit = Math.min(outstanding, engine.scheduling().maxRunning());
        this.prices = prices;
        this.batch = new DecodeBatch(prices, requests);
        this.arrivals = load.arrivals();
        this.turns = arrivals instanceof Turns clients
                ? new TurnClients(clients, load.requests(), use, kvTokens, PrefixCacheRetention.PROMPT_AND_ANSWER, 1)
                : null;
        this.sent = turns == null ? outstanding : 0;
        switch (arrivals) {
            case ClosedLoop _ -> {}
            case Turns(int clients, var _, var _) -> IntStream.range(0, clients).forEach(this::pause);
            case OpenLoop open -> requests.sendAt(open.times(load.requests()));
            case Recorded recorded -> requests.sendAt(recorded.times());
        }
    }

    /// Runs a simulation.
    ///
    /// @param checkpoint called repeatedly; may cancel the simulation by an exception
    /// @throws IllegalArgumentException if the engine polls less often than every step, which is not supported
    public static SimulationResult run(ServingRank rank, SimulatedLoad load, Runnable checkpoint) {
        if (rank.engine().pollInterval() > 1) {
            throw new IllegalArgumentException(
                    "a simulation polls every step, not every " + rank.engine().pollInterval());
        }
        int most = Math.min(
                load.arrivals().outstanding(load.requests()),
                rank.engine().scheduling().maxRunning());
        ServingSimulation simulation = new ServingSimulation(rank, load, new StepPrices(rank, most));
        simulation.runAll(checkpoint);
        return simulation.requests.result(
                load.dropped(),
                rank.engine().frontendMillis(),
                simulation.evaluations,
                simulation.timeline,
                simulation.turns == null ? null : simulation.turns.result(),
                null);
    }

    /// Returns the mean TTFT of a closed loop.
    ///
    /// @param load load of more requests than its concurrency
    /// @param waves waves of the benchmark; the load may have others
    /// @param prices prices of the rank
    /// @param stepped receives numbers of simulated steps; may cancel the simulation by an exception
    static SteadyFigures.Ttft ttft(
            ServingRank rank, SimulatedLoad load, double waves, StepPrices prices, IntConsumer stepped) {
        ServingSimulation simulation = new ServingSimulation(rank, load, prices);
        simulation.runPrompts(stepped);
        int opening = load.arrivals().outstanding(load.requests());
        double frontend = rank.engine().frontendMillis();
        double burst = simulation.requests.meanTtft(0, opening) + frontend;
        double settled = simulation.requests.meanTtft(opening, load.requests()) + frontend;
        return new SteadyFigures.Ttft(burst / waves + (1 - 1 / waves) * settled, burst, settled);
    }

    private void runAll(Runnable checkpoint) {
        for (long steps = 0; finished < requests.count(); steps++) {
            if (steps % STEPS_PER_CHECK == 0) {
                checkpoint.run();
            }
            advance();
        }
    }

    /// Runs until every request has its first token. Each step is reported before the next check of the caller, so
    /// that a caller with a budget ends at the same total with any number of threads.
    private void runPrompts(IntConsumer stepped) {
        int steps = 0;
        while (prefilled < requests.count()) {
            advance();
            steps++;
            if (steps == STEPS_PER_CHECK) {
                stepped.accept(steps);
                steps = 0;
            }
        }
        stepped.accept(steps);
    }

    private void advance() {
        takeArrivals();
        admit();
        step.compose();
        if (step.tokens > 0) {
            runOneStep();
        } else if (step.decoding > 0) {
            skipDecodeSteps();
        } else {
            advanceTo(nextArrival(), 0);
        }
        if (step.decoding > 0) {
            finishLastTokens();
        }
        startDecoding();
    }

    private void takeArrivals() {
        while (sent < requests.count() && resendings.next() <= clock) {
            RetryArrivals.Sending next = resendings.remove();
            requests.sendAt(sent, next.millis());
            if (turns != null) {
                requests.ask(sent, turns.send(sent, next.client()));
            }
            sent++;
        }
        while (arrived < sent && requests.sent(arrived) <= clock) {
            timeline.addWaiting(requests.sent(arrived), clock);
            arrived++;
        }
    }

    /// Returns the next arrival; infinity if none precedes the next response.
    private double nextArrival() {
        if (arrived < sent) {
            return requests.sent(arrived);
        }
        return sent == requests.count() ? Double.POSITIVE_INFINITY : resendings.next();
    }

    private void admit() {
        while (admitted < arrived && (running() == 0 || (running() < limit && fits(admitted)))) {
            reserved += use.of(requests.tokens(admitted));
            if (turns != null) {
                requests.find(admitted, turns.run(admitted, 0, reserved));
            }
            admitted++;
        }
    }

    private boolean fits(int request) {
        return reserved + use.of(requests.tokens(request)) <= kvTokens;
    }

    private int running() {
        return batch.size() + admitted - prefilled;
    }

    private void runOneStep() {
        evaluations++;
        double millis = step.decoding > 0
                ? batch.mixedMillis(step.tokens, step.pairs)
                : prices.prefill(step.tokens, step.pairs);
        advanceTo(clock + millis, (step.decoding > 0 ? batch.stepTokens() : 0) + step.ended);
        if (step.decoding > 0) {
            decoded(1);
        }
    }

    /// Advances all decoding requests by `steps` steps.
    private void decoded(long steps) {
        batch.decoded(steps);
        if (turns != null) {
            turns.decode(steps, batch.size(), batch.contextOfLast(steps));
        }
    }

    private void skipDecodeSteps() {
        long steps = batch.stepsToLastToken();
        double next = nextArrival();
        if (next < Double.POSITIVE_INFINITY && admitted == arrived && running() < limit) {
            steps = batch.stepsUntil(next - clock, steps);
        }
        evaluations += 2;
        advanceTo(clock + batch.runMillis(steps), batch.stepTokens() * steps);
        decoded(steps);
    }

    private void advanceTo(double time, double outputTokens) {
        timeline.advance(clock, time, running(), arrived - admitted, outputTokens);
        clock = time;
    }

    private void finishLastTokens() {
        while (batch.hasEnded()) {
            finish(batch.removeEnded());
        }
    }

    private void startDecoding() {
        for (int count = step.ended; count > 0; count--) {
            int request = prefilled;
            prefilled++;
            requests.firstToken(request, clock);
            if (requests.output(request) <= 1) {
                finish(request);
            } else {
                batch.add(request);
            }
        }
    }

    private void finish(int request) {
        requests.lastToken(request, clock);
        finished++;
        reserved -= use.of(requests.tokens(request));
        if (turns != null) {
            turns.leave(request, 0, reserved);
            pause(turns.client(request));
        } else if (arrivals instanceof ClosedLoop loop) {
            resendings.add(clock + loop.pauseMillis(request), 0);
        }
    }

    private void pause(int client) {
        if (turns != null) {
            resendings.add(clock + turns.pauseMillis(), client);
        }
    }

    /// Queue of the next requests of clients that have received a response.
    static final class RetryArrivals {
        private final PriorityQueue<Sending> coming = new PriorityQueue<>(Comparator.comparingDouble(Sending::millis));

        /// Scheduled request.
        ///
        /// @param client sending client; 0 if clients do not matter
        record Sending(double millis, int client) {}

        void add(double millis, int client) {
            coming.add(new Sending(millis, client));
        }

        /// Returns the time of the next request; infinity if there is none.
        double next() {
            Sending first = coming.peek();
            return first == null ? Double.POSITIVE_INFINITY : first.millis;
        }

        Sending remove() {
            return coming.remove();
        }
    }
}

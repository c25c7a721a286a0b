package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A rank that runs its requests step after step and knows each of them by itself: slow, and written to be read beside
/// the rules of the scheduler. It knows no limit on the prompts that end in a step.
final class StepByStepServing {
    private final ServingRank rank;
    private final int limit;
    private final Arrivals arrivals;
    private final List<Request> all;
    private final Deque<Request> unsent = new ArrayDeque<>();
    /// When requests are sent that have not been yet.
    private final PriorityQueue<Double> sendings = new PriorityQueue<>();
    private final Deque<Request> waiting = new ArrayDeque<>();
    private final List<Request> prompts = new ArrayList<>();
    private final List<Request> decoding = new ArrayList<>();
    private double clock;

    static final class Request {
        private final int input;
        private final int output;
        private int computed;
        /// Decode steps that it has had, of all that it takes.
        private int steps;

        private final int mostSteps;
        private double sent;
        double first;
        double last;

        private Request(int input, int output, double tokensPerStep) {
            this.input = input;
            this.output = output;
            int needed = 0;
            while (needed * tokensPerStep < (output - 1) * (1 - 1e-9)) {
                needed++;
            }
            this.mostSteps = needed;
        }

        /// Tokens behind the first one that so many steps bring.
        private double tokens(int afterSteps) {
            return mostSteps == 0 ? 0 : (double) afterSteps * (output - 1) / mostSteps;
        }

        double ttft() {
            return first - sent;
        }
    }

    private StepByStepServing(ServingRank rank, SimulatedLoad load) {
        this.rank = rank;
        this.all = IntStream.range(0, load.requests())
                .mapToObj(request -> new Request(
                        load.lengths().input(request),
                        load.lengths().output(request),
                        rank.step().tokensPerStep()))
                .toList();
        this.unsent.addAll(all);
        int outstanding = switch (load.arrivals()) {
            case Arrivals.ClosedLoop closed -> Math.min(closed.concurrency(), load.requests());
            case Arrivals.OpenLoop _, Arrivals.Recorded _ -> load.requests();
            case Arrivals.Turns _ -> throw new IllegalArgumentException("turns are worked by hand");
        };
        this.limit = Math.min(outstanding, rank.engine().scheduling().maxRunning());
        this.arrivals = load.arrivals();
        double[] times = switch (load.arrivals()) {
            case Arrivals.ClosedLoop _ -> new double[outstanding];
            case Arrivals.OpenLoop open -> open.times(outstanding);
            case Arrivals.Recorded recorded -> recorded.times();
            case Arrivals.Turns _ -> throw new IllegalArgumentException("turns are worked by hand");
        };
        Arrays.stream(times).forEach(sendings::add);
    }

    static List<Request> run(ServingRank rank, SimulatedLoad load) {
        StepByStepServing serving = new StepByStepServing(rank, load);
        while (!serving.unsent.isEmpty() || !serving.waiting.isEmpty() || serving.running() > 0) {
            serving.step();
        }
        return serving.all;
    }

    private int running() {
        return prompts.size() + decoding.size();
    }

    private void step() {
        while (!unsent.isEmpty() && !sendings.isEmpty() && sendings.peek() <= clock) {
            Request request = unsent.removeFirst();
            request.sent = sendings.remove();
            waiting.add(request);
        }
        while (!waiting.isEmpty() && (running() == 0 || (running() < limit && fits(waiting.getFirst())))) {
            prompts.add(waiting.removeFirst());
        }
        boolean mixed = rank.engine().scheduling().policy() == Policy.MIXED;
        List<Request> served = mixed || prompts.isEmpty() ? List.copyOf(decoding) : List.of();
        double millis = prefill(rank.engine().scheduling().tokenBudget()
                - (mixed ? served.size() * rank.step().tokensComputed() : 0));
        if (!served.isEmpty()) {
            millis += rank.step()
                    .decode(
                            served.size(),
                            served.stream()
                                    .mapToDouble(StepByStepServing::context)
                                    .sum());
        }
        if (millis == 0) {
            clock = sendings.element();
            return;
        }
        clock += millis + rank.engine().stepGapMillis();
        served.forEach(request -> {
            request.steps++;
            endIfDone(request);
        });
        startDecoding();
    }

    private boolean fits(Request request) {
        long reserved = Stream.concat(prompts.stream(), decoding.stream())
                .mapToLong(one -> one.input + one.output)
                .sum();
        return reserved + request.input + request.output <= rank.kvTokens();
    }

    /// Cached tokens when the next step of the request is done.
    private static double context(Request request) {
        return request.input + request.tokens(request.steps + 1);
    }

    private double prefill(int budget) {
        int left = budget;
        long tokens = 0;
        double pairs = 0;
        for (Request prompt : prompts) {
            double chunk = Math.max(0, Math.min(prompt.input - prompt.computed, left));
            pairs += chunk * prompt.computed + chunk * chunk / 2;
            prompt.computed += (int) chunk;
            left -= (int) chunk;
            tokens += (long) chunk;
        }
        return tokens == 0 ? 0 : rank.step().prefill(tokens, pairs);
    }

    private void startDecoding() {
        for (Iterator<Request> rest = prompts.iterator(); rest.hasNext(); ) {
            Request prompt = rest.next();
            if (prompt.computed == prompt.input) {
                rest.remove();
                prompt.first = clock;
                decoding.add(prompt);
                endIfDone(prompt);
            }
        }
    }

    private void endIfDone(Request request) {
        if (request.steps == request.mostSteps) {
            decoding.remove(request);
            request.last = clock;
            if (arrivals instanceof Arrivals.ClosedLoop closed) {
                int client = all.indexOf(request);
                double share = client < closed.concurrency() ? (double) client / closed.concurrency() : 0;
                sendings.add(clock + closed.thinkMillis() + closed.staggerMillis() * share);
            }
        }
    }
}

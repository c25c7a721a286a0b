package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Prefill ranks that feed decode ranks, one step after the other, each request known by itself: slow, and written to
/// be read beside the rules of [PairSimulation].
final class StepByStepPair {
    private final Workers prefill;
    private final Workers decode;
    private final IntToDoubleFunction transfer;
    private final Arrivals arrivals;
    private final List<Request> unsent = new ArrayList<>();
    private final List<Request> all;
    private final List<Prefill> prefills;
    private final List<Decode> decodes;
    /// Whose cache is on its way.
    private final List<Request> moving = new ArrayList<>();
    private double clock;
    private int sent;

    static final class Request {
        private final int number;
        final int input;
        final int output;
        private double time;
        private double sent;
        private int steps;
        private final int mostSteps;
        double first;
        double last;

        private Request(int number, int input, int output, double tokensPerStep) {
            this.number = number;
            this.input = input;
            this.output = output;
            int needed = 0;
            while (needed * tokensPerStep < output * (1 - 1e-9)) {
                needed++;
            }
            this.mostSteps = needed;
        }

        private double tokens(int afterSteps) {
            return (double) afterSteps * output / mostSteps;
        }

        double ttft() {
            return first - sent;
        }
    }

    private static final class Prefill {
        private final Deque<Request> waiting = new ArrayDeque<>();
        private double end = Double.POSITIVE_INFINITY;
    }

    private static final class Decode {
        private final Deque<Request> waiting = new ArrayDeque<>();
        private final List<Request> running = new ArrayList<>();
        private double end = Double.POSITIVE_INFINITY;
    }

    private StepByStepPair(Workers prefill, Workers decode, IntToDoubleFunction transfer, SimulatedLoad load) {
        this.prefill = prefill;
        this.decode = decode;
        this.transfer = transfer;
        this.arrivals = load.arrivals();
        this.all = IntStream.range(0, load.requests())
                .mapToObj(i -> new Request(
                        i,
                        load.lengths().input(i),
                        load.lengths().output(i),
                        decode.rank().step().tokensPerStep()))
                .toList();
        this.prefills =
                IntStream.range(0, prefill.ranks()).mapToObj(_ -> new Prefill()).toList();
        this.decodes =
                IntStream.range(0, decode.ranks()).mapToObj(_ -> new Decode()).toList();
        double[] times = switch (arrivals) {
            case Arrivals.OpenLoop open -> open.times(all.size());
            case Arrivals.Recorded recorded ->
                recorded.millis().stream().mapToDouble(Double::doubleValue).toArray();
            case Arrivals.ClosedLoop loop -> new double[Math.min(loop.concurrency(), all.size())];
            case Arrivals.Turns _ -> throw new IllegalArgumentException();
        };
        Arrays.stream(times).forEach(this::send);
    }

    static List<Request> run(Workers prefill, Workers decode, IntToDoubleFunction transfer, SimulatedLoad load) {
        StepByStepPair pair = new StepByStepPair(prefill, decode, transfer, load);
        while (pair.all.stream().anyMatch(request -> request.last == 0)) {
            pair.advance();
        }
        return pair.all;
    }

    private void send(double millis) {
        if (sent < all.size()) {
            Request next = all.get(sent);
            next.sent = millis;
            next.time = millis;
            unsent.add(next);
            sent++;
        }
    }

    private void advance() {
        clock = DoubleStream.of(
                        soonest(unsent),
                        soonest(moving),
                        prefills.stream().mapToDouble(one -> one.end).min().orElseThrow(),
                        decodes.stream().mapToDouble(one -> one.end).min().orElseThrow())
                .min()
                .orElseThrow();
        for (Request request : due(unsent)) {
            least(prefills, StepByStepPair::load).waiting.add(request);
            beginPrompts();
        }
        for (Prefill rank : prefills) {
            if (rank.end <= clock) {
                Request request = rank.waiting.remove();
                request.time = clock + transfer.applyAsDouble(request.input);
                moving.add(request);
                rank.end = Double.POSITIVE_INFINITY;
            }
        }
        beginPrompts();
        for (Request request : due(moving)) {
            least(decodes, rank -> rank.waiting.size() + rank.running.size())
                    .waiting
                    .add(request);
        }
        decodes.forEach(this::step);
    }

    private static int load(Prefill rank) {
        return rank.waiting.size();
    }

    private static double soonest(List<Request> requests) {
        return requests.stream().mapToDouble(request -> request.time).min().orElse(Double.POSITIVE_INFINITY);
    }

    private List<Request> due(List<Request> requests) {
        List<Request> due = requests.stream()
                .filter(request -> request.time <= clock)
                .sorted(Comparator.comparingDouble(request -> request.time))
                .toList();
        requests.removeAll(due);
        return due;
    }

    private static <T> T least(List<T> ranks, ToIntFunction<T> load) {
        return ranks.stream().min(Comparator.comparingInt(load)).orElseThrow();
    }

    private void beginPrompts() {
        for (Prefill rank : prefills) {
            if (Double.isInfinite(rank.end) && !rank.waiting.isEmpty()) {
                double tokens = rank.waiting.getFirst().input;
                rank.end = clock
                        + prefill.rank().step().prefill(tokens, tokens * tokens / 2)
                        + prefill.rank().engine().stepGapMillis();
            }
        }
    }

    private void step(Decode rank) {
        if (rank.end <= clock) {
            for (Request request : List.copyOf(rank.running)) {
                request.steps++;
                request.first = request.steps == 1 ? clock : request.first;
                if (request.steps == request.mostSteps) {
                    request.last = clock;
                    rank.running.remove(request);
                    if (arrivals instanceof Arrivals.ClosedLoop loop) {
                        send(clock + loop.pauseMillis(request.number));
                    }
                }
            }
            rank.end = Double.POSITIVE_INFINITY;
        }
        if (Double.isInfinite(rank.end)) {
            while (!rank.waiting.isEmpty() && (rank.running.isEmpty() || fits(rank))) {
                rank.running.add(rank.waiting.remove());
            }
            if (!rank.running.isEmpty()) {
                double context = rank.running.stream()
                        .mapToDouble(request -> request.input + request.tokens(request.steps + 1))
                        .sum();
                rank.end = clock
                        + decode.rank().step().decode(rank.running.size(), context)
                        + decode.rank().engine().stepGapMillis();
            }
        }
    }

    private boolean fits(Decode rank) {
        Request next = rank.waiting.getFirst();
        double reserved = rank.running.stream()
                .mapToDouble(request -> decode.rank().use().of(request.input + request.output))
                .sum();
        return rank.running.size() < decode.rank().engine().scheduling().maxRunning()
                && reserved + decode.rank().use().of(next.input + next.output)
                        <= decode.rank().kvTokens();
    }
}

package io.throughputoptimizer.core.workload;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/// A batch of slots from event to event: a request that has its last token leaves its slot to another one at once,
/// whose input and output are drawn anew. It knows nothing of shares and means, and counts what it sees.
final class SlotSimulation {
    private final Lengths lengths;
    private final OutputLengths outputs;
    private final int slots;
    private final Random random;
    private final Map<Kind, Double> heldFor = new HashMap<>();

    /// Of requests alike.
    record Kind(int input, int output) {}

    private record Running(Kind kind, double since) {
        double until() {
            return since + kind.output;
        }
    }

    /// @param meanContext of a request, over time
    /// @param shares of slots that hold a kind, over time
    record Seen(int completions, double meanContext, Map<Kind, Double> shares) {}

    SlotSimulation(Lengths lengths, OutputLengths outputs, int slots, Random random) {
        this.lengths = lengths;
        this.outputs = outputs;
        this.slots = slots;
        this.random = random;
    }

    /// Time counts tokens; a tenth of the completions pass before anything counts.
    Seen run(int completions) {
        PriorityQueue<Running> batch = new PriorityQueue<>(Comparator.comparingDouble(Running::until));
        for (int slot = 0; slot < slots; slot++) {
            Kind kind = draw();
            batch.add(new Running(kind, -random.nextDouble() * kind.output));
        }
        int ignored = completions / 10;
        double clock = 0;
        double counted = 0;
        double contexts = 0;
        for (int done = 0; done < ignored + completions; done++) {
            Running next = batch.remove();
            double step = next.until() - clock;
            if (done >= ignored) {
                contexts += contexts(batch, next, clock, step);
                counted += step;
            }
            clock = next.until();
            batch.add(new Running(draw(), clock));
        }
        double all = counted * slots;
        heldFor.replaceAll((_, time) -> time / all);
        return new Seen(completions, contexts / all, heldFor);
    }

    /// Tokens of context times time, of all requests from `clock` on for `step`.
    private double contexts(PriorityQueue<Running> others, Running next, double clock, double step) {
        double sum = context(next, clock, step);
        for (Running one : others) {
            sum += context(one, clock, step);
        }
        return sum;
    }

    private double context(Running one, double clock, double step) {
        heldFor.merge(one.kind, step, Double::sum);
        return step * (one.kind.input + (clock - one.since) + step / 2);
    }

    private Kind draw() {
        List<LengthShare> inputs = switch (lengths) {
            case Lengths.Fixed(int tokens) -> List.of(new LengthShare(tokens, 1));
            case Lengths.Mixed(LengthDistribution distribution) -> distribution.shares();
        };
        return new Kind(draw(inputs), draw(outputs.lengths()));
    }

    private int draw(List<LengthShare> shares) {
        double left = random.nextDouble();
        for (LengthShare share : shares) {
            left -= share.requestRatio();
            if (left < 0) {
                return share.tokens();
            }
        }
        return shares.getLast().tokens();
    }
}

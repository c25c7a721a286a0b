package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import java.util.Random;

/// Ranks to serve with, and engines on them.
final class Ranks {
    static final LinearSteps SLOW =
            new LinearSteps(new LinearSteps.Decode(20, 0.05, 6e-5), new LinearSteps.Prefill(0, 0.12, 0));
    static final LinearSteps FAST =
            new LinearSteps(new LinearSteps.Decode(8, 0.02, 1e-5), new LinearSteps.Prefill(0, 0.04, 0));
    static final EngineSettings MIXED = engine(new Scheduling(Policy.MIXED, 8192));
    static final EngineSettings ALTERNATE = engine(new Scheduling(Policy.ALTERNATE, 16384));

    private Ranks() {}

    static EngineSettings engine(Scheduling scheduling) {
        return new EngineSettings(scheduling, 1, 0, 0);
    }

    /// No limit but those of the engine.
    static ServingRank rank(StepTimes step, EngineSettings engine) {
        return new ServingRank(step, Double.POSITIVE_INFINITY, engine, CacheUse.TOKENS);
    }

    /// From a small model on many devices to a large one on few.
    static LinearSteps random(Random random) {
        return new LinearSteps(
                new LinearSteps.Decode(between(random, 3, 30), between(random, 0, 0.1), between(random, 1e-6, 6e-5)),
                new LinearSteps.Prefill(
                        between(random, 0, 10), between(random, 0.005, 0.15), between(random, 0, 1e-6)));
    }

    /// The same with steps that draft 1 to 8 tokens and yield any number that these may.
    static StepTimes drafting(StepTimes step, Random random) {
        int drafts = 1 + random.nextInt(8);
        return drafting(step, drafts, between(random, 1, drafts + 1));
    }

    static StepTimes drafting(StepTimes step, int drafts, double tokensPerStep) {
        return new Drafting(step, drafts, tokensPerStep);
    }

    private record Drafting(StepTimes step, int drafts, double tokensPerStep) implements StepTimes {
        @Override
        public double decodeOutsideAttention(double requests) {
            return step.decodeOutsideAttention(requests * tokensComputed());
        }

        @Override
        public double decodeAttention(double requests, double context) {
            return step.decodeAttention(requests * tokensComputed(), context);
        }

        @Override
        public double prefillOutsideAttention(double tokens) {
            return step.prefillOutsideAttention(tokens);
        }

        @Override
        public double prefillAttention(double tokens, double pairs) {
            return step.prefillAttention(tokens, pairs);
        }

        @Override
        public int tokensComputed() {
            return drafts + 1;
        }
    }

    static double between(Random random, double least, double most) {
        return least + (most - least) * random.nextDouble();
    }
}

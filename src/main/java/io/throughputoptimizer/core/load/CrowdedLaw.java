package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.SteadyFigures.Ttft;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.function.IntConsumer;

/// The [SteadyLaw] of a rank, with the TTFT of crowded steps by simulation.
///
/// From half a prompt per step on, prompts wait for each other in ways that the queue of the law does not
/// describe: its TTFT is up to 6 times too long. A simulation of 2 to 10 waves of the same closed loop replaces it,
/// and the throughput is that of a rank that always has requests to run. Prefix caches and engines that poll less
/// often than every step are not simulated; their TTFT stays that of the law.
public final class CrowdedLaw {
    private static final double FEWEST_PROMPTS = 0.5;
    private static final double FEWEST_WAVES = 2;
    private static final double MOST_WAVES = 10;

    private final ServingRank rank;
    private final Traffic traffic;
    private final Traffic simulated;
    private final SteadyLaw law;
    private final StepPrices prices;
    private final Object key;
    private final TtftSimulations simulations;

    /// Creates a law of independent requests.
    ///
    /// @param key equal for equal ranks with equal traffic
    /// @param simulations simulations of this rank and others
    public CrowdedLaw(ServingRank rank, Traffic traffic, Object key, TtftSimulations simulations) {
        this.rank = rank;
        this.traffic = traffic;
        this.key = key;
        this.simulations = simulations;
        this.simulated = new Traffic(
                traffic.lengths(), Math.clamp(traffic.waves(), FEWEST_WAVES, MOST_WAVES), 0, null, traffic.staggered());
        this.law = new SteadyLaw(rank, traffic.mean(), traffic.waves());
        this.prices = new StepPrices(rank, 1);
    }

    /// Returns the steady state of a concurrency.
    ///
    /// @param concurrency requests in flight at this rank, at least 1
    public LawOutcome at(double concurrency) {
        LawOutcome outcome = law.at(concurrency);
        return outcome instanceof SteadyFigures figures && isSimulated(figures)
                ? figures.with(new SimulatedTtft(() -> simulations.at(
                        key, (int) concurrency, stepped -> simulate((int) concurrency, figures, stepped))))
                : outcome;
    }

    private Ttft simulate(int concurrency, SteadyFigures figures, IntConsumer stepped) {
        return ServingSimulation.ttft(
                rank,
                simulated.closedLoop(concurrency, TtftBasis.BENCHMARK, figures),
                traffic.waves(),
                prices,
                stepped);
    }

    private boolean isSimulated(SteadyFigures figures) {
        return figures.promptsPerStep(rank.step().tokensPerStep()) >= FEWEST_PROMPTS
                && rank.engine().pollInterval() == 1
                && traffic.prefixHitRate() == 0;
    }
}

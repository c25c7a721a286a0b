package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The best concurrency of each layout by the steady law, and a ranking of the layouts by tokens per second.
///
/// Limits on a percentile are checked by simulation: a concurrency keeps them if the simulated percentile does. The
/// figures that are ranked stay those of the law.
///
/// @param batches requests per attention data parallel rank; absent for all that a rank can run
/// @param preference which concurrency of a layout is best
/// @param scan how closely it is looked for
public record SteadySearch(
        Traffic traffic, Limits limits, @Nullable RankBatches batches, Preference preference, Scan scan) {
    /// Of the most tokens per second.
    public SteadySearch(Traffic traffic, Limits limits, @Nullable RankBatches batches) {
        this(traffic, limits, batches, Preference.MOST_TOKENS, Scan.EVERY_SUMMIT);
    }

    /// A layout on all devices: replicas of a group of attention data parallel ranks, each a [ServingRank] of its
    /// own.
    ///
    /// @param layout what the caller knows it by
    /// @param dp attention data parallel ranks of a replica
    public record Candidate<L>(L layout, ServingRank rank, int dp, int replicas) {
        public Candidate {
            if (dp < 1 || replicas < 1) {
                throw new IllegalArgumentException(replicas + " replicas of " + dp + " ranks: at least 1 each");
            }
        }

        int ranks() {
            return dp * replicas;
        }

        /// Requests per second of the deployment above which it is saturated.
        ///
        /// @throws IllegalArgumentException if neither the cache nor the engine limits how many run
        public double highestRatePerSecond(Traffic traffic) {
            return ranks() * new SteadyLaw(rank, traffic.mean(), traffic.waves()).highestRatePerSecond();
        }
    }

    /// A layout at its best concurrency.
    ///
    /// @param figures of one rank
    public record Row<L>(Candidate<L> candidate, SteadyFigures figures) {

        /// Of one rank.
        public int rankConcurrency() {
            return (int) figures.concurrency();
        }

        /// Of the deployment.
        public long concurrency() {
            return (long) rankConcurrency() * candidate.ranks();
        }

        /// Of the deployment.
        public double outputTokensPerSecond() {
            return figures.outputTokensPerSecond() * candidate.ranks();
        }

        /// Of the deployment.
        public double requestsPerSecond() {
            return figures.requestsPerSecond() * candidate.ranks();
        }
    }

    /// A layout that breaks limits at the least concurrency.
    public record Rejection<L>(Candidate<L> candidate, List<Breach> breaches) {}

    /// A candidate at a concurrency that was tried and fits in memory.
    ///
    /// @param figures as those of a row
    public record Point<L>(Candidate<L> candidate, SteadyFigures figures, boolean withinLimits) {}

    /// @param rows the best first
    /// @param points of the candidates in their order, by concurrency; where limits are on a percentile those that
    ///     were simulated
    /// @param evaluations concurrencies at which the law was asked
    /// @param simulations that checked percentiles
    public record Ranking<L>(
            List<Row<L>> rows,
            List<Rejection<L>> rejections,
            List<Point<L>> points,
            long evaluations,
            int simulations) {}

    /// @param checkpoint is called again and again, and may end the work by an exception
    /// @throws IllegalArgumentException if limits on a percentile meet a prefix cache or an engine that polls less
    ///     often than every step: no simulation knows them
    public <L> Ranking<L> run(List<Candidate<L>> candidates, Runnable checkpoint) {
        List<Row<L>> rows = new ArrayList<>();
        List<Rejection<L>> rejections = new ArrayList<>();
        List<Point<L>> points = new ArrayList<>();
        long evaluations = 0;
        int simulations = 0;
        for (Candidate<L> candidate : candidates) {
            SteadyLaw law = new SteadyLaw(candidate.rank(), traffic.mean(), traffic.waves());
            CandidateCheck check = new CandidateCheck(traffic, limits, candidate, checkpoint);
            Preference ofRank = preference.ofRank(candidate.ranks());
            BestConcurrency best = new BestConcurrency(scan, ofRank, law::at, check);
            RankBatches asked = batches;
            RankBatches tried = asked == null ? RankBatches.unaskedOfOne(candidate.rank(), traffic.mean()) : asked;
            int least = Math.max(tried.least(), ofRank.leastConcurrency());
            if (least > tried.most()) {
                rejections.add(new Rejection<>(candidate, List.of(Breach.tooFew(least, tried.most()))));
                continue;
            }
            best.find(least, tried.most())
                    .ifPresentOrElse(
                            figures -> rows.add(new Row<>(candidate, (SteadyFigures) figures)),
                            () -> rejections.add(new Rejection<>(candidate, best.breaches(least))));
            best.tried(limits.percentile() == null)
                    .forEach(one ->
                            points.add(new Point<>(candidate, (SteadyFigures) one.figures(), one.withinLimits())));
            evaluations += best.evaluations();
            simulations += check.simulations();
        }
        rows.sort(Comparator.<Row<L>>comparingDouble(row -> -row.outputTokensPerSecond())
                .thenComparingDouble(row -> row.figures().tpotMillis()));
        return new Ranking<>(List.copyOf(rows), List.copyOf(rejections), List.copyOf(points), evaluations, simulations);
    }
}

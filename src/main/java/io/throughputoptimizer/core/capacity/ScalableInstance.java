package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.calibrated.TriedReplica;
import io.throughputoptimizer.core.capacity.PairSearchBudget.SearchGuard;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.search.CandidateRows;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.TriedInstance;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// One aggregated instance of a capacity plan at any load, predicted or at an end of its prediction intervals. Not
/// thread-safe.
///
/// `C` is the highest concurrency within the limits and `R(n)` the requests/s at concurrency `n`. The load to aim at
/// with headroom `h` is `T`, the highest concurrency with `R(T) <= R(C) / (1 + h)`.
public final class ScalableInstance {
    private final Setting setting;
    private final Loads loads;
    private final long peak;
    private final long mostTried;
    private final Ratio most;
    private final Optional<Ratio> worst;

    /// A value of a figure: the prediction, or an end of its interval.
    public enum End {
        PREDICTED,
        UNFAVORABLE,
        FAVORABLE
    }

    /// Figures of one instance.
    ///
    /// @param concurrency requests in flight at the instance
    /// @param ttftMillis mean TTFT that a benchmark reports
    /// @param settledMillis mean TTFT after the opening burst; null in the analytic model
    /// @param promptMillis time of one prompt alone; null in the analytic model
    public record Load(
            double concurrency,
            double requestsPerS,
            double ttftMillis,
            @Nullable Double settledMillis,
            double tpotMillis,
            @Nullable Double promptMillis) {

        /// Returns the TTFT after the opening burst, or the only one that the model has.
        public double steadyTtftMillis() {
            return settledMillis == null ? ttftMillis : settledMillis;
        }
    }

    /// Facts of an instance that do not depend on its load.
    ///
    /// @param ranks attention data parallel ranks
    /// @param heldRequests requests whose cache, each with half of its output, fills all ranks; null if unknown
    public record Setting(
            int ranks,
            double inputTokens,
            double outputTokens,
            double headroom,
            Limits limits,
            @Nullable Double heldRequests) {}

    /// Figures by requests in flight at a rank.
    private interface Loads {
        /// Returns the figures; empty if they do not fit in memory or the end is unknown.
        Optional<Load> at(long ofRank, End end);
    }

    private ScalableInstance(
            Setting setting, Loads loads, long peak, long mostTried, Ratio most, Optional<Ratio> worst) {
        this.setting = setting;
        this.loads = loads;
        this.peak = peak;
        this.mostTried = mostTried;
        this.most = most;
        this.worst = worst;
    }

    /// Returns an instance of the calibrated model; empty if it cannot run or serves nothing within the limits.
    public static Optional<ScalableInstance> of(
            CalibratedCapacityProblem problem, TriedReplica replica, SearchMonitor monitor) {
        CalibratedProblem one = problem.measured()
                .about(replica.device())
                .with(replica.deployment().layout().deviceCount());
        SearchGuard guard = new SearchGuard(monitor, MemoryBudget.unlimited());
        return PricedReplicas.of(one, replica.deployment(), new TtftSimulations(_ -> guard.checkpoint()))
                .map(priced -> CalibratedInstance.tried(
                        one, priced, problem.requirement().unit(), guard))
                .filter(CalibratedInstance::serves)
                .map(instance -> of(instance, problem.requirement()));
    }

    private static ScalableInstance of(CalibratedInstance instance, Requirement requirement) {
        PricedReplicas priced = instance.priced();
        MeanRequest request = priced.terms().request();
        double held = priced.instance().heldRequests(request.newTokens() + request.outputTokens() / 2) * priced.ranks();
        return new ScalableInstance(
                new Setting(
                        priced.ranks(),
                        request.inputTokens(),
                        request.outputTokens(),
                        requirement.headroom(),
                        priced.terms().limits(),
                        Double.isInfinite(held) ? null : (Double) held),
                new CalibratedLoads(priced, priced.outcomes()),
                (long) instance.peak().concurrency(),
                priced.mostConcurrency(),
                instance.mostRate(requirement),
                instance.unfavourable(
                        new Requirement(Unit.REQUESTS_PER_S, 1, requirement.headroom(), requirement.outputTokens())));
    }

    /// Returns an instance of the analytic model; empty if its row does not fit in memory.
    ///
    /// @param problem problem of one such instance
    /// @param batchSize batch size of its peak
    public static Optional<ScalableInstance> of(
            OptimizationProblem problem,
            Requirement requirement,
            TriedInstance instance,
            long batchSize,
            Optimizer optimizer,
            SearchMonitor monitor) {
        CandidateRows rows =
                optimizer.rows(instance.candidate(), Phase.AGGREGATION, Limits.NONE, monitor, MemoryBudget.unlimited());
        var workload = problem.demand().workload();
        return rows.at(batchSize)
                .map(row -> new Peak(problem, Phase.AGGREGATION, row))
                .map(top -> new ScalableInstance(
                        new Setting(
                                top.row().layout().dp(),
                                workload.lengths().effectiveLength(0),
                                workload.outputs().mean(),
                                requirement.headroom(),
                                problem.demand().limits(),
                                null),
                        (ofRank, end) ->
                                end == End.PREDICTED ? rows.at(ofRank).map(row -> load(top, row)) : Optional.empty(),
                        batchSize,
                        batchSize,
                        top.rate(top.row()),
                        Optional.empty()));
    }

    private static Load load(Peak top, ResultRow row) {
        Figures figures = row.figures();
        return new Load(
                row.concurrency(),
                top.rate(row).value(),
                requireNonNull(figures.ttftMillis()),
                null,
                requireNonNull(figures.tpotMillis()),
                null);
    }

    /// Figures of the calibrated model.
    private record CalibratedLoads(PricedReplicas priced, IntFunction<LawOutcome> law) implements Loads {
        @Override
        public Optional<Load> at(long ofRank, End end) {
            if (!(law.apply((int) ofRank) instanceof SteadyFigures figures)) {
                return Optional.empty();
            }
            CalibratedPoint point = priced.point(figures);
            double promised = point.requestsPerSecond().value();
            Load load = new Load(
                    point.concurrency(),
                    end(point.requestsPerSecond(), end, false) * Math.min(1, point.sustainedRequestsPerS() / promised),
                    end(point.ttftBenchmarkMillis(), end, true),
                    end(point.ttftSettledMillis(), end, true),
                    end(point.tpotMillis(), end, true),
                    end(point.prefillMillis(), end, true));
            return Double.isNaN(load.tpotMillis + load.ttftMillis + load.requestsPerS)
                    ? Optional.empty()
                    : Optional.of(load);
        }

        /// Returns an end of a figure; NaN if it is unknown.
        private static double end(Uncertain figure, End end, boolean isTime) {
            return end == End.PREDICTED
                    ? figure.value()
                    : figure.band()
                            .map(band -> (end == End.UNFAVORABLE) == isTime
                                    ? band.high().orElse(Double.NaN)
                                    : band.low())
                            .orElse(Double.NaN);
        }
    }

    public Setting setting() {
        return setting;
    }

    /// Returns the figures at a concurrency of the instance; empty if the end is unknown.
    public Optional<Load> at(long concurrency, End end) {
        return loads.at(Math.max(1, concurrency / setting.ranks), end);
    }

    /// Returns `C`; empty if the end is unknown. Ends are unknown with percentile limits too, which means of a
    /// simulation decide.
    public OptionalLong highest(End end) {
        if (end == End.PREDICTED) {
            return OptionalLong.of(peak * setting.ranks);
        }
        if (setting.limits.percentile() != null || !keepsLimits(1, end)) {
            return OptionalLong.empty();
        }
        // Where no limit stops the prediction, none does at the favorable end.
        boolean limited = peak < mostTried && !keepsLimits(peak + 1, End.PREDICTED);
        long last = end == End.FAVORABLE && limited ? mostTried : peak;
        return OptionalLong.of(highest(last, ofRank -> keepsLimits(ofRank, end)) * setting.ranks);
    }

    private boolean keepsLimits(long ofRank, End end) {
        return loads.at(ofRank, end).filter(this::keepsLimits).isPresent();
    }

    private boolean keepsLimits(Load load) {
        Limits limits = setting.limits;
        double ttft = limits.basis() == TtftBasis.SETTLED ? load.steadyTtftMillis() : load.ttftMillis;
        return keeps(limits.ttftMillis(), ttft)
                && keeps(limits.tpotMillis(), load.tpotMillis)
                && keeps(limits.requestLatencyMillis(), ttft + Math.max(setting.outputTokens - 1, 0) * load.tpotMillis);
    }

    private static boolean keeps(@Nullable Double limit, double figure) {
        return limit == null || figure <= limit;
    }

    /// Returns `T`; empty if the end is unknown.
    public OptionalLong target(End end) {
        OptionalLong top = highest(end);
        if (top.isEmpty()) {
            return top;
        }
        double rate = end == End.PREDICTED
                ? most.value()
                : at(top.getAsLong(), end).map(Load::requestsPerS).orElseThrow();
        double aim = rate / (1 + setting.headroom);
        return OptionalLong.of(highest(
                        top.getAsLong() / setting.ranks,
                        ofRank -> loads.at(ofRank, end)
                                .filter(load -> load.requestsPerS <= aim)
                                .isPresent())
                * setting.ranks);
    }

    /// Returns the largest number from 1 that holds, by bisection; 1 if none does.
    private static long highest(long last, LongPredicate holds) {
        long low = 1;
        long high = last;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (holds.test(middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /// Returns the requests/s of one instance at its peak.
    public double requestsPerS() {
        return most.value();
    }

    /// Returns the requests/s of one instance if every figure is at the unfavorable end; empty if unknown.
    public Optional<Double> worstRequestsPerS() {
        return worst.map(Ratio::value);
    }

    /// Returns the instances that a rate takes with headroom, `ceil(rate (1 + h) / R)`, as mode `capacity` counts
    /// them; 0 for a rate of 0.
    public static long replicas(double perSecond, double headroom, double most) {
        return perSecond <= 0
                ? 0
                : new Requirement(Unit.REQUESTS_PER_S, perSecond, headroom, 1)
                        .planned()
                        .dividedBy(Ratio.of(most))
                        .ceiling();
    }
}

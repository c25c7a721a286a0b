package io.throughputoptimizer.api.reading;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.capacity.CalibratedCapacityProblem;
import io.throughputoptimizer.core.capacity.CapacityProblem;
import io.throughputoptimizer.core.explain.CalibratedAlternatives;
import io.throughputoptimizer.core.explain.Explainer;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.space.Tally;
import java.util.List;

/// The search that a request describes, by cost model.
public sealed interface SearchQuestion {

    /// Upper bound of the points that the search evaluates.
    long mostPoints();

    /// Returns this question, or a coarser one if this one can evaluate more than `most` points and a coarser one
    /// exists.
    default SearchQuestion within(long most) {
        return this;
    }

    /// Returns a copy for an effective request, whose defaults are filled in. The members set in the body decide
    /// which values stay when others change.
    default SearchQuestion of(ExplicitFields asked) {
        return this;
    }

    /// By the roofline.
    ///
    /// @param explained whether the answer comes with its explanation
    /// @param ofCheckpoint whether linear layers are quantized as the checkpoint is, and the answer says how near
    /// @param others kinds of device that could be asked about instead
    record Analytic(OptimizationProblem problem, boolean explained, boolean ofCheckpoint, List<DeviceProfile> others)
            implements SearchQuestion {
        public Analytic {
            others = List.copyOf(others);
        }

        @Override
        public long mostPoints() {
            return explained ? Explainer.mostPoints(problem) : problem.mostPoints();
        }
    }

    /// The fewest devices that meet a demand, in the analytic model.
    ///
    /// @param ofCheckpoint whether linear layers are quantized as the checkpoint is, and the answer says how near
    record Capacity(CapacityProblem problem, boolean ofCheckpoint) implements SearchQuestion {
        /// Each instance is searched for its most, and then for its load.
        @Override
        public long mostPoints() {
            return Tally.times(2, problem.mostPoints());
        }
    }

    /// The fewest devices that meet a demand, in the calibrated model.
    record MeasuredCapacity(CalibratedCapacityProblem problem) implements SearchQuestion {
        @Override
        public long mostPoints() {
            return problem.mostPoints();
        }
    }

    /// By measured kernels.
    ///
    /// @param explained whether the answer comes with its explanation
    /// @param alternatives alternatives for the explanation
    record Calibrated(CalibratedProblem problem, boolean explained, CalibratedAlternatives alternatives)
            implements SearchQuestion {
        @Override
        public long mostPoints() {
            return explained ? Explainer.mostPoints(problem) : problem.mostPoints();
        }

        @Override
        public SearchQuestion of(ExplicitFields asked) {
            return new Calibrated(problem, explained, alternatives.keepingCache(asked.namesCache()));
        }

        @Override
        public SearchQuestion within(long most) {
            return mostPoints() > most
                    ? new Calibrated(problem.with(ConcurrencySampling.BEST_SUMMITS), explained, alternatives)
                    : this;
        }
    }
}

package io.throughputoptimizer.core.portfolio;

import java.util.List;

/// Solves [IntegerProgram]s of one portfolio within a time limit for all of them.
@FunctionalInterface
public interface ProgramSolver {

    /// Status of a solution.
    enum Status {
        /// The values are proven optimal.
        OPTIMAL,
        /// The values are feasible; better ones might exist.
        FEASIBLE,
        /// No feasible values exist.
        INFEASIBLE,
        /// Time was up before feasible values were found.
        UNKNOWN
    }

    /// Result of the solver.
    ///
    /// @param values values of the variables, integer ones rounded; empty if none were found
    /// @param cost cost of the values; infinite if none were found
    /// @param bound lower bound of the cost
    record Solution(Status status, List<Double> values, double cost, double bound) {
        public Solution {
            values = List.copyOf(values);
        }

        boolean isFound() {
            return status == Status.OPTIMAL || status == Status.FEASIBLE;
        }
    }

    /// Solves a program; deterministic if time suffices.
    ///
    /// @param share share of the remaining time; after it the solver returns the best values so far
    /// @throws java.util.concurrent.CancellationException if the caller no longer waits for the solution
    Solution solve(IntegerProgram program, double share);

    /// Returns whether the time for all programs is over; optional programs can then be skipped.
    default boolean isTimeUp() {
        return false;
    }
}

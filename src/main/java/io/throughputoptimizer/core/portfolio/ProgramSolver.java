package io.throughputoptimizer.core.portfolio;

import java.util.List;

/// Solves [IntegerProgram]s that belong to one question, within a time for all of them.
@FunctionalInterface
public interface ProgramSolver {

    /// How far a solver got.
    enum Status {
        /// Nothing is better than the values.
        OPTIMAL,
        /// The values keep the rows; something better may be there.
        FEASIBLE,
        /// No values keep the rows.
        INFEASIBLE,
        /// Time was up before any were found.
        UNKNOWN
    }

    /// @param values of the variables, those of whole ones rounded; empty where there are none
    /// @param cost of the values; infinite where there are none
    /// @param bound no values cost less
    record Solution(Status status, List<Double> values, double cost, double bound) {
        public Solution {
            values = List.copyOf(values);
        }

        boolean isFound() {
            return status == Status.OPTIMAL || status == Status.FEASIBLE;
        }
    }

    /// The same program and ample time give the same solution.
    ///
    /// @param share of the time that is left; after it the best so far is given
    /// @throws java.util.concurrent.CancellationException when nobody waits for the solution any more
    Solution solve(IntegerProgram program, double share);

    /// Whether the time for all programs is over: what can be left out then need not be solved.
    default boolean isTimeUp() {
        return false;
    }
}

package io.throughputoptimizer.portfolio;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolver.ResultStatus;
import com.google.ortools.linearsolver.MPVariable;
import io.throughputoptimizer.core.portfolio.IntegerProgram;
import io.throughputoptimizer.core.portfolio.IntegerProgram.Row;
import io.throughputoptimizer.core.portfolio.IntegerProgram.Term;
import io.throughputoptimizer.core.portfolio.IntegerProgram.Variable;
import io.throughputoptimizer.core.portfolio.ProgramSolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// SCIP, as OR-Tools brings it along. It runs on the calling thread alone, so that a program with ample time has the
/// same solution always. Used by one thread, for one question.
public final class ScipSolver implements ProgramSolver {
    private static final Logger log = LoggerFactory.getLogger(ScipSolver.class);

    /// Before it, SCIP hardly begins.
    private static final long LEAST_MILLIS = 20;

    /// Memory limit of SCIP in MB, outside the heap.
    private static final String PARAMETERS = "limits/memory = 256\n";

    private final long endNanos;

    /// @param limit time limit of all programs of the question
    public ScipSolver(Duration limit) {
        this.endNanos = System.nanoTime() + limit.toNanos();
    }

    /// Returns whether this machine can load the solver.
    public static boolean isThere() {
        return Library.FAULT.isEmpty();
    }

    /// Loaded once, when the first question comes.
    private static final class Library {
        static final String FAULT = faultOf(Loader::loadNativeLibraries);
    }

    /// Callers learn only that there is no solver: the operator is told why.
    ///
    /// @return empty if it loads
    static String faultOf(Runnable load) {
        try {
            load.run();
            return "";
        } catch (RuntimeException | LinkageError e) {
            log.warn("Portfolios are answered 501 no-solver: the native libraries of OR-Tools cannot be loaded", e);
            return String.valueOf(e);
        }
    }

    @Override
    public boolean isTimeUp() {
        return System.nanoTime() >= endNanos;
    }

    @Override
    public Solution solve(IntegerProgram program, double share) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("nobody waits for the plan");
        }
        long millis = Math.max(LEAST_MILLIS, (long) ((endNanos - System.nanoTime()) / 1e6 * share));
        if (!isThere()) {
            throw new IllegalStateException(Library.FAULT);
        }
        MPSolver solver = MPSolver.createSolver("SCIP");
        try {
            return solve(solver, program, millis);
        } finally {
            solver.delete();
        }
    }

    private static Solution solve(MPSolver solver, IntegerProgram program, long millis) {
        List<MPVariable> variables = new ArrayList<>();
        for (Variable variable : program.variables()) {
            MPVariable made = solver.makeVar(finite(variable.lower()), finite(variable.upper()), variable.whole(), "");
            solver.objective().setCoefficient(made, variable.cost());
            variables.add(made);
        }
        for (Row row : program.rows()) {
            MPConstraint made = solver.makeConstraint(finite(row.least()), finite(row.most()));
            for (Term term : row.terms()) {
                made.setCoefficient(variables.get(term.variable()), term.factor());
            }
        }
        solver.objective().setMinimization();
        solver.setTimeLimit(millis);
        solver.setSolverSpecificParametersAsString(PARAMETERS);
        ResultStatus status = solver.solve();
        return switch (status) {
            case OPTIMAL -> found(Status.OPTIMAL, solver, program, variables);
            case FEASIBLE -> found(Status.FEASIBLE, solver, program, variables);
            case INFEASIBLE -> nothing(Status.INFEASIBLE);
            case UNBOUNDED, ABNORMAL, NOT_SOLVED, MODEL_INVALID -> nothing(Status.UNKNOWN);
        };
    }

    private static double finite(double end) {
        return Double.isInfinite(end) ? Math.signum(end) * MPSolver.infinity() : end;
    }

    private static Solution nothing(Status status) {
        return new Solution(status, List.of(), Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }

    private static Solution found(Status status, MPSolver solver, IntegerProgram program, List<MPVariable> variables) {
        List<Double> values = new ArrayList<>();
        double cost = 0;
        for (int place = 0; place < variables.size(); place++) {
            Variable variable = program.variables().get(place);
            double value = variables.get(place).solutionValue();
            double kept = variable.whole() ? Math.rint(value) : value;
            values.add(kept);
            cost += variable.cost() * kept;
        }
        double bound = status == Status.OPTIMAL
                ? cost
                : Math.min(cost, solver.objective().bestBound());
        return new Solution(status, values, cost, bound);
    }
}

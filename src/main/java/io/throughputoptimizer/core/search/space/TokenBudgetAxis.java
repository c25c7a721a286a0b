package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.search.space.Candidate.Trait;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.stream.Stream;

/// Token budgets of a prefill pass to try.
///
/// @param budgets none: the accounting chooses, among several as much as memory allows; duplicates are tried once
public record TokenBudgetAxis(List<Integer> budgets) implements Axis {
    public static final TokenBudgetAxis CHOSEN = new TokenBudgetAxis(List.of());

    public TokenBudgetAxis {
        budgets = List.copyOf(budgets);
    }

    /// Returns the initial budget of each candidate and, if the accounting chooses it, the fallback budgets.
    public List<Integer> tried(Accounting accounting, Workload workload) {
        return budgets.isEmpty() ? accounting.tokenBudgets(workload) : budgets.subList(0, 1);
    }

    @Override
    public int size() {
        return Math.max(1, Axis.different(budgets));
    }

    @Override
    public Stream<Candidate> over(Candidate candidate) {
        return budgets.isEmpty()
                ? Stream.of(candidate)
                : Axis.each(budgets, Trait.TOKEN_BUDGET, candidate, Candidate::withTokenBudget);
    }
}

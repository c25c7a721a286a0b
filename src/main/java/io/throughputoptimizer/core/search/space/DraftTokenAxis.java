package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.search.space.Candidate.Trait;
import java.util.List;
import java.util.stream.Stream;

/// Numbers of draft tokens to try.
///
/// @param counts numbers, at least one; duplicates are tried once
public record DraftTokenAxis(List<Integer> counts) implements Axis {
    public DraftTokenAxis {
        counts = List.copyOf(counts);
    }

    @Override
    public int size() {
        return Axis.different(counts);
    }

    @Override
    public Stream<Candidate> over(Candidate candidate) {
        return Axis.each(counts, Trait.DRAFT_TOKENS, candidate, (one, count) -> {
            Execution execution = one.deployment().execution();
            return one.with(execution.withDrafts(count));
        });
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.Set;

/// Candidates of a [ProblemBuilder]'s problem.
final class Candidates {
    private Candidates() {}

    /// The only one of that layout.
    static Candidate of(ParallelLayout layout) {
        return new Candidate(
                SmallDeployment.with(layout),
                new ServingTerms(
                        new Workload(new Lengths.Fixed(1000), 100, 0, null),
                        8192,
                        0,
                        DraftAcceptance.NONE,
                        Accounting.DOCUMENTED,
                        false),
                Set.of());
    }
}

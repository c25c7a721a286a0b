package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest.Extent;
import io.throughputoptimizer.api.request.LengthDistributionRequest.Share;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Input or output lengths of the requests of rows, in tokens.
///
/// @param mean mean over all requests
record PlanLengths(int longest, double mean) {

    /// Returns the input lengths. Rows state one length per bin, but requests can have the longest of the bin.
    static PlanLengths ofInputs(WorkloadRequest workload, List<RowResponse> rows, Catalogs catalogs) {
        Integer same = workload.inputLength();
        if (same != null) {
            return new PlanLengths(same, same);
        }
        if (workload.conversation() != null) {
            Extent prompts = workload.conversation().extent();
            return new PlanLengths(prompts.longest(), prompts.mean());
        }
        List<CompositionResponse> parts =
                rows.isEmpty() ? List.of() : requireNonNullElse(rows.getFirst().composition(), List.of());
        if (parts.isEmpty()) {
            return distribution(workload.lengthDistribution(), catalogs)
                    .map(inputs -> new PlanLengths(inputs.longest(), inputs.mean()))
                    .orElseThrow(() -> new CannotLaunchException(
                            Subject.ENGINE,
                            "the input lengths are those of a distribution that is not in the catalogue"));
        }
        long samples = parts.stream().mapToLong(CompositionResponse::samples).sum();
        double tokens = parts.stream()
                .mapToDouble(part -> (double) part.numInputTokens() * part.samples())
                .sum();
        int longest = parts.stream()
                .mapToInt(CompositionResponse::numInputTokens)
                .max()
                .orElse(1);
        return new PlanLengths(
                distribution(workload.lengthDistribution(), catalogs)
                        .map(Extent::longest)
                        .orElse(longest),
                tokens / Math.max(1, samples));
    }

    /// @throws CannotLaunchException if the distribution's name is no longer known
    static PlanLengths ofOutputs(WorkloadRequest workload, Catalogs catalogs) {
        Integer same = workload.conversation() == null
                ? workload.outputLength()
                : workload.conversation().generatedTokens();
        if (same != null) {
            return new PlanLengths(same, same);
        }
        return distribution(workload.outputDistribution(), catalogs)
                .map(outputs -> new PlanLengths(outputs.longest(), outputs.mean()))
                .orElseThrow(() -> new CannotLaunchException(
                        Subject.ENGINE, "the output lengths are those of a distribution that is not in the catalogue"));
    }

    /// Returns the distribution of lengths: a single share if all are equal, or if the distribution's name is
    /// no longer known.
    ///
    /// @param same the only length, or null
    List<Share> shares(@Nullable Integer same, @Nullable LengthDistributionRequest asked, Catalogs catalogs) {
        return same != null || asked == null
                ? List.of(new Share(longest, 1))
                : asked.shares(catalogs.lengthDistributions()).orElseGet(() -> List.of(new Share(longest, 1)));
    }

    private static Optional<Extent> distribution(@Nullable LengthDistributionRequest asked, Catalogs catalogs) {
        return asked == null ? Optional.empty() : asked.extent(catalogs.lengthDistributions());
    }
}

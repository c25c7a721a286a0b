package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.workload.InvalidLengthDistributionException;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.LengthViolation;
import io.throughputoptimizer.core.workload.OutputLengths;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shares of lengths, by name or as bins, as they come over the wire.
@Schema(name = "LengthDistribution")
public record LengthDistributionRequest(
        @Nullable String name,
        @Size(min = 1, max = Bounds.LIST) @Nullable List<@NotNull @Valid LengthBinRequest> bins) implements Composite {
    private static final String OF_REFERENCE = "builtin";

    @Override
    public List<Violation> inconsistencies() {
        if ((name == null) == (bins == null)) {
            return List.of(new Violation("", "needs exactly one of name and bins"));
        }
        return bins == null ? List.of() : brokenBin(bins);
    }

    /// The first rule of [LengthDistribution] that complete bins break.
    private static List<Violation> brokenBin(List<LengthBinRequest> bins) {
        if (bins.isEmpty() || bins.stream().anyMatch(bin -> bin == null || !bin.isComplete())) {
            return List.of();
        }
        try {
            LengthDistribution _ = distribution(bins);
            return List.of();
        } catch (InvalidLengthDistributionException e) {
            return List.of(violation(e.violation()));
        }
    }

    private static Violation violation(LengthViolation broken) {
        return broken.bin() == null
                ? new Violation("/bins", broken.message())
                : new Violation(
                        "/bins/" + broken.bin().given() + "/" + broken.rule().field(), broken.message());
    }

    private static LengthDistribution distribution(List<LengthBinRequest> bins) {
        return new LengthDistribution(bins.stream().map(LengthBinRequest::toBin).toList());
    }

    /// Returns whether this is the distribution of msmodeling.
    boolean isOfReference() {
        return OF_REFERENCE.equals(name);
    }

    /// Returns whether requests differ in length; a single bin stands for one length.
    public boolean isMixed() {
        return bins == null || bins.size() > 1;
    }

    public LengthDistribution toDistribution() {
        return distribution(requireNonNull(bins));
    }

    /// Range of lengths.
    ///
    /// @param longest in tokens; of a single bin, which stands for one length, that
    /// @param mean of all requests
    public record Extent(int longest, double mean) {}

    /// Share of requests with one length.
    ///
    /// @param tokens the length that stands for a bin
    /// @param share of all requests, from 0 to 1
    public record Share(int tokens, double share) {}

    /// Returns the shares of the bins or of the named distribution, by rising length; empty if the name is
    /// unknown.
    ///
    /// @param known distributions by name
    public Optional<List<Share>> shares(Map<String, LengthDistribution> known) {
        return Optional.ofNullable(name == null ? toDistribution() : known.get(name))
                .map(distribution -> distribution.shares().stream()
                        .map(share -> new Share(share.tokens(), share.requestRatio()))
                        .toList());
    }

    /// Returns the range of the bins or of the named distribution; empty if the name is unknown.
    ///
    /// @param known distributions by name
    public Optional<Extent> extent(Map<String, LengthDistribution> known) {
        return Optional.ofNullable(name == null ? toDistribution() : known.get(name))
                .map(OutputLengths::of)
                .map(lengths -> new Extent(lengths.sole().orElse(lengths.longest()), lengths.mean()));
    }

    /// Requests of similar length, as they come over the wire.
    @Schema(name = "LengthBin")
    public record LengthBinRequest(
            @Required @Min(0) @Max(Bounds.COUNT) @Nullable Integer minTokens,
            @Required @Max(Bounds.COUNT) @Nullable Integer maxTokens,

            @Required @Positive @DecimalMax(Bounds.WEIGHT) @Nullable
            Double weight) {

        boolean isComplete() {
            return minTokens != null && maxTokens != null && weight != null;
        }

        LengthBin toBin() {
            return new LengthBin(requireNonNull(minTokens), requireNonNull(maxTokens), requireNonNull(weight));
        }
    }
}

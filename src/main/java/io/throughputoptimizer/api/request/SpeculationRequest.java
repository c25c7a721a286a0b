package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.kernels.AcceptanceCurve;
import io.throughputoptimizer.core.kernels.Speculation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Draft tokens of decode steps and, in the same object, their acceptance.
@Schema(name = "Speculation")
public record SpeculationRequest(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @OneOrMore @Required @Size(min = 1, max = Bounds.LIST)
        List<@NotNull @Min(0) @Max(AcceptanceCurve.MOST_DRAFTS) Integer> numDraftTokens,

        @Valid @Nullable AcceptanceRequest acceptance,

        @Schema(defaultValue = "0.16") @PositiveOrZero @DecimalMax("1000")
        Double requestMs)
        implements Composite {
    public SpeculationRequest {
        numDraftTokens = requireNonNullElse(numDraftTokens, List.of());
        requestMs = requireNonNullElse(requestMs, Speculation.USUAL_REQUEST_MILLIS);
    }

    private AcceptanceRequest stated() {
        return requireNonNullElse(acceptance, AcceptanceRequest.UNSAID);
    }

    private List<Integer> drafts() {
        return numDraftTokens.stream().filter(Objects::nonNull).distinct().toList();
    }

    /// Most tokens that are drafted in a step.
    int mostDrafts() {
        return drafts().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /// Returns a violation if a request about one deployment states several numbers of draft tokens.
    ///
    /// @param pointer of this value
    List<Violation> several(String pointer) {
        return drafts().size() > 1
                ? List.of(new Violation(
                        pointer + "/num_draft_tokens",
                        "must be a single value here, got " + drafts().size()
                                + " values. Lists are supported in POST /api/v1/optimizations only"))
                : List.of();
    }

    @Override
    public List<Violation> inconsistencies() {
        return stated().broken(numDraftTokens).stream()
                .map(broken -> broken.under("/acceptance"))
                .toList();
    }

    /// One for each number of drafts, of a request that keeps its rules.
    List<Speculation> toSpeculations() {
        return drafts().stream()
                .map(count -> new Speculation(count, count == 0 ? 1 : stated().tokensPerStep(count), requestMs))
                .toList();
    }

    /// Describes the assumed speculative decoding.
    public String words() {
        return stated().words(numDraftTokens);
    }
}

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.capacity.Requirement;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Demand on a deployment, as a request states it: exactly one of its fields.
@Schema(name = "Demand")
public record DemandRequest(
        @Positive @DecimalMax(MOST) @Nullable Double requestsPerS,
        @Positive @DecimalMax(MOST) @Nullable Double tokensPerS,
        @Min(1) @Max(MOST_REQUESTS) @Nullable Integer concurrency,
        @Min(1) @Max(MOST_REQUESTS) @Nullable Integer conversations)
        implements Composite {
    private static final String MOST = "1000000000";
    private static final long MOST_REQUESTS = 1_000_000_000;

    @Override
    public List<Violation> inconsistencies() {
        long given = Stream.of(requestsPerS, tokensPerS, concurrency, conversations)
                .filter(Objects::nonNull)
                .count();
        return given == 1
                ? List.of()
                : List.of(new Violation(
                        "", "needs exactly one of requests_per_s, tokens_per_s, concurrency and conversations"));
    }

    public Requirement toRequirement(double headroom, double outputTokens) {
        if (requestsPerS != null) {
            return new Requirement(Unit.REQUESTS_PER_S, requestsPerS, headroom, outputTokens);
        }
        if (conversations != null) {
            return new Requirement(Unit.CONVERSATIONS, conversations, headroom, outputTokens);
        }
        return tokensPerS != null
                ? new Requirement(Unit.TOKENS_PER_S, tokensPerS, headroom, outputTokens)
                : new Requirement(Unit.CONCURRENCY, requireNonNull(concurrency), headroom, outputTokens);
    }
}

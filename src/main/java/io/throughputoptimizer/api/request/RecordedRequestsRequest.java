package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.load.RecordedLengths;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests that were served, one by one, as they come over the wire.
@Schema(name = "RecordedRequests")
public record RecordedRequestsRequest(
        @Required @Size(min = 1, max = Bounds.RECORDED) List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> inputTokens,
        @Required @Size(min = 1, max = Bounds.RECORDED) List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> outputTokens,

        @Size(min = 1, max = Bounds.RECORDED) @Nullable
        List<@NotNull @PositiveOrZero @DecimalMax(RecordedRequestsRequest.LATEST) Double> sentMs)
        implements Composite {
    /// Latest time in milliseconds since 1970, about three centuries later.
    static final String LATEST = "10000000000000";

    public RecordedRequestsRequest {
        inputTokens = requireNonNullElse(inputTokens, List.of());
        outputTokens = requireNonNullElse(outputTokens, List.of());
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        checkCount(broken, "/output_tokens", outputTokens.size());
        if (sentMs != null) {
            checkCount(broken, "/sent_ms", sentMs.size());
            for (int index = 1; index < sentMs.size(); index++) {
                Double before = sentMs.get(index - 1);
                Double now = sentMs.get(index);
                if (before != null && now != null && now < before) {
                    broken.add(
                            new Violation("/sent_ms/" + index, "must not be before the previous request, got " + now));
                    break;
                }
            }
        }
        return broken;
    }

    private void checkCount(List<Violation> broken, String pointer, int count) {
        if (count > 0 && !inputTokens.isEmpty() && count != inputTokens.size()) {
            broken.add(new Violation(
                    pointer, "must have as many values as input_tokens (" + inputTokens.size() + "), got " + count));
        }
    }

    boolean hasTimes() {
        return sentMs != null;
    }

    public RecordedLengths toLengths() {
        return new RecordedLengths(
                inputTokens.stream().mapToInt(Integer::intValue).toArray(),
                outputTokens.stream().mapToInt(Integer::intValue).toArray(),
                requireNonNullElse(sentMs, List.of()));
    }

    /// Describes the requests for a report.
    public String inWords(boolean prompts) {
        List<Integer> tokens = prompts ? inputTokens : outputTokens;
        return "%s requests, %s to %s tokens, mean %.1f"
                .formatted(
                        tokens.size(),
                        tokens.stream().mapToInt(Integer::intValue).min().orElseThrow(),
                        tokens.stream().mapToInt(Integer::intValue).max().orElseThrow(),
                        tokens.stream().mapToInt(Integer::intValue).average().orElseThrow());
    }
}

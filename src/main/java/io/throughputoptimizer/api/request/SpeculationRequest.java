package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.core.silicon.AcceptanceCurve;
import io.throughputoptimizer.core.silicon.Speculation;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What decode steps draft, as it comes over the wire.
@Schema(
        name = "Speculation",
        description = "What decode steps draft with a layer of the model, and how much of it is accepted: one of"
                + " `accepted`, `rates` and `curve`, needed unless nothing is drafted. Acceptance is a property of"
                + " the prompts, and no band holds it.")
public record SpeculationRequest(
        @Schema(
                description = "Tokens drafted in a step, 0 for none; a list to try several.",
                example = "3",
                requiredMode = Schema.RequiredMode.REQUIRED)
        @OneOrMore
        @Required
        @Size(min = 1, max = Bounds.LIST)
        List<@NotNull @Min(0) @Max(AcceptanceCurve.MOST_DRAFTS) Integer> tokens,

        @Schema(
                description = "Tokens that a step yields in the mean, accepted drafts and the one after them: from 1 to"
                        + " one more than `tokens`; for one number of drafts.",
                example = "2.6")
        @DecimalMin("1")
        @DecimalMax("9")
        @Nullable
        Double accepted,

        @Schema(
                description =
                        "Share of steps in which the first, second, ... draft is accepted, as engines report it by"
                                + " position: each counts the drafts before it, so that none is above the one before.",
                example = "[0.8, 0.5, 0.3]")
        @Size(min = 1, max = AcceptanceCurve.MOST_DRAFTS)
        @Nullable
        List<@NotNull @DecimalMin("0") @DecimalMax("1") Double> rates,

        @Schema(
                description = "Name of a published curve, such as `qwen3.5-397b-a17b-nvfp4/mtp/thinking`: measured on"
                        + " prompts of SPEED-Bench's category coding (vLLM, B300, published by InferenceX). Random"
                        + " prompts accept less.",
                example = "qwen3.5-397b-a17b-nvfp4/mtp/thinking")
        @Size(max = 128)
        @Nullable
        String curve,

        @Schema(
                description = "Time in ms of a step for each request that runs, which kernels do not show: the drafting"
                        + " loop, sampling, commit of states. Fitted on SGLang.",
                defaultValue = "0.16")
        @PositiveOrZero
        @DecimalMax("1000")
        Double requestMs)
        implements Composite {
    public SpeculationRequest {
        tokens = requireNonNullElse(tokens, List.of());
        requestMs = requireNonNullElse(requestMs, Speculation.USUAL_REQUEST_MILLIS);
    }

    private List<Integer> drafts() {
        return tokens.stream().filter(Objects::nonNull).distinct().toList();
    }

    /// Most tokens that are drafted in a step.
    int mostDrafts() {
        return drafts().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /// What stands in the way of a request about one deployment, whose steps draft one number of tokens.
    ///
    /// @param pointer of this value
    List<Violation> several(String pointer) {
        return drafts().size() > 1
                ? List.of(new Violation(
                        pointer + "/tokens",
                        "has " + drafts().size() + " values: here steps draft one number of tokens"))
                : List.of();
    }

    private List<Integer> drafting() {
        return drafts().stream().filter(count -> count > 0).toList();
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        List<Integer> drafting = drafting();
        long given = Stream.of(accepted, rates, curve).filter(Objects::nonNull).count();
        if (given > 1 || (given == 0 && !drafting.isEmpty())) {
            broken.add(new Violation(
                    "", "says " + given + " times how much is accepted: one of accepted, rates and curve is needed"));
            return broken;
        }
        int most = mostDrafts();
        if (accepted != null) {
            if (drafting.size() > 1) {
                broken.add(new Violation(
                        "/accepted",
                        "is " + accepted + ", for one number of drafts: rates or curve say it of several"));
            } else if (!drafting.isEmpty() && accepted > most + 1) {
                broken.add(new Violation(
                        "/accepted",
                        "is " + accepted + ": " + most + " drafts and the token after them are at most " + (most + 1)));
            }
        }
        if (rates != null && !rates.contains(null)) {
            checkRates(rates, most, broken);
        }
        if (curve != null && AcceptanceCurve.named(curve).isEmpty()) {
            broken.add(new Violation(
                    "/curve", "is " + curve + ": one of " + String.join(", ", AcceptanceCurve.names()) + " is needed"));
        }
        return broken;
    }

    private static void checkRates(List<Double> rates, int most, List<Violation> broken) {
        if (rates.size() < most) {
            broken.add(new Violation("/rates", "has " + rates.size() + " values: " + most + " drafts need " + most));
        }
        for (int position = 1; position < rates.size(); position++) {
            if (rates.get(position) > rates.get(position - 1)) {
                broken.add(new Violation(
                        "/rates/" + position,
                        "is " + rates.get(position) + ", above the one before: a draft is accepted only where those"
                                + " before it are"));
            }
        }
    }

    /// One for each number of drafts, of a request that keeps its rules.
    List<Speculation> toSpeculations() {
        return drafts().stream()
                .map(count -> new Speculation(count, count == 0 ? 1 : accepted(count), requestMs))
                .toList();
    }

    private double accepted(int drafts) {
        if (accepted != null) {
            return accepted;
        }
        if (curve != null) {
            return AcceptanceCurve.named(curve).orElseThrow().accepted(drafts);
        }
        return 1
                + Objects.requireNonNull(rates).subList(0, drafts).stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
    }

    /// What is assumed, in words.
    public String words() {
        List<Speculation> drafting =
                toSpeculations().stream().filter(Speculation::drafting).toList();
        if (drafting.isEmpty()) {
            return "no speculative decoding";
        }
        return String.join(
                        ", or ",
                        drafting.stream()
                                .map(one -> one.drafts() + " draft tokens a step, which yields " + one.accepted())
                                .toList())
                + (curve == null ? "" : ", as " + curve + " on prompts of SPEED-Bench's category coding");
    }
}

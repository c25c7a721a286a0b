package io.throughputoptimizer.api.request;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.kernels.AcceptanceCurve;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Acceptance of draft tokens, as a request states it.
@Schema(name = "Acceptance")
public record AcceptanceRequest(
        @DecimalMin("1") @DecimalMax("10") @Nullable Double length,

        @Size(min = 1, max = ServingRequest.MAX_MTP_TOKENS) @Nullable
        List<@NotNull @DecimalMin("0") @DecimalMax("1") Double> rates,

        @Size(max = 128) @Nullable String curve)
        implements Composite {
    public static final String NO_DRAFTS = "no speculative decoding";
    static final AcceptanceRequest UNSAID = new AcceptanceRequest(null, null, null);

    /// Returns the violations that do not depend on the number of draft tokens.
    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (curve != null && AcceptanceCurve.named(curve).isEmpty()) {
            broken.add(new Violation(
                    "/curve", "must be one of " + String.join(", ", AcceptanceCurve.names()) + ", got " + curve));
        }
        for (int position = 1; rates != null && position < rates.size(); position++) {
            Double rate = rates.get(position);
            Double before = rates.get(position - 1);
            if (rate != null && before != null && rate > before) {
                broken.add(new Violation("/rates/" + position, "must not be above the previous rate, got " + rate));
            }
        }
        return broken;
    }

    /// Returns the violations for steps that draft these numbers of tokens.
    List<Violation> broken(Collection<Integer> drafts) {
        List<Integer> drafting = drafts.stream()
                .filter(Objects::nonNull)
                .distinct()
                .filter(count -> count > 0)
                .toList();
        long given = Stream.of(length, rates, curve).filter(Objects::nonNull).count();
        if (given > 1 || (given == 0 && !drafting.isEmpty())) {
            return List.of(new Violation("", "must have exactly one of length, rates and curve, got " + given));
        }
        int most = drafting.stream().mapToInt(Integer::intValue).max().orElse(0);
        if (length != null && drafting.size() > 1) {
            return List.of(new Violation(
                    "/length",
                    "must be used with a single value of num_draft_tokens, got " + length
                            + ". For several values, use rates or curve"));
        }
        if (length != null && most > 0 && length > most + 1) {
            return List.of(new Violation(
                    "/length",
                    "must be at most " + (most + 1) + " (" + most + " draft tokens and the bonus token), got "
                            + length));
        }
        return rates != null && rates.size() < most
                ? List.of(new Violation(
                        "/rates", "must have " + most + " values, one per draft token, got " + rates.size()))
                : List.of();
    }

    /// Tokens that a step of so many drafts yields, of a request that keeps its rules.
    ///
    /// @param drafts at least one
    double tokensPerStep(int drafts) {
        if (length != null) {
            return length;
        }
        if (curve != null) {
            return AcceptanceCurve.named(curve).orElseThrow().accepted(drafts);
        }
        return 1
                + Objects.requireNonNull(rates).subList(0, drafts).stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
    }

    /// Returns the acceptance for these numbers of draft tokens: the one that is given, or all rates or the
    /// curve.
    DraftAcceptance toAcceptance(Collection<Integer> drafts) {
        IntStream known = curve != null
                ? IntStream.rangeClosed(1, AcceptanceCurve.MOST_DRAFTS)
                : rates != null
                        ? IntStream.rangeClosed(1, rates.size())
                        : drafts.stream()
                                .mapToInt(Integer::intValue)
                                .filter(count -> count > 0)
                                .distinct();
        return new DraftAcceptance.ByCount(
                known.boxed().collect(Collectors.toMap(Function.identity(), this::tokensPerStep)));
    }

    /// Describes the assumed acceptance.
    ///
    /// @param drafts that are tried, which may be none
    String words(Collection<Integer> drafts) {
        List<String> yields = drafts.stream()
                .distinct()
                .filter(count -> count > 0)
                .map(count -> count + " draft tokens a step, which yields " + tokensPerStep(count))
                .toList();
        return yields.isEmpty()
                ? NO_DRAFTS
                : String.join(", or ", yields)
                        + (curve == null ? "" : ", as " + curve + " on prompts of SPEED-Bench's category coding");
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.ContextAnswer;
import io.throughputoptimizer.api.result.ContextAnswer.LayoutKey;
import io.throughputoptimizer.api.result.ContextsResponse;
import io.throughputoptimizer.api.result.ContextsResponse.LayoutResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A maximum context length beyond the requests of the plan.
///
/// @param tokens context length, output included; null for the longest of which each data parallel rank holds
///     one
/// @param answer computes which lengths fit
public record ContextLengthOption(@Nullable Integer tokens, ContextAnswer answer) {
    /// Returns the plan with servers of this context length.
    ///
    /// @throws CannotLaunchException if it is shorter than the requests of the plan or does not fit
    LaunchPlan of(LaunchPlan plan) {
        LaunchPlan.Served served = plan.served();
        int least = served.inputTokens() + served.outputTokens();
        if (tokens != null && tokens < least) {
            throw new CannotLaunchException(
                    Subject.CONTEXT, "is " + tokens + ": requests of the plan have " + least + " tokens");
        }
        Set<LayoutKey> keys =
                plan.instances().stream().map(ContextLengthOption::key).collect(Collectors.toSet());
        long longest = plan.instances().stream()
                .mapToLong(instance -> longest(answer.of(instance.layout().dp(), 1L, key(instance)::equals)))
                .min()
                .orElse(0);
        long asked = tokens == null ? longest : tokens;
        if (asked > longest || asked < least) {
            throw new CannotLaunchException(
                    Subject.ENGINE,
                    longest == 0
                            ? "Nobody knows how long requests of this row may get"
                            : "A request of " + Math.max(asked, least)
                                    + " tokens does not fit this row: the longest has " + longest);
        }
        return plan.taking((int) asked, notes(answer.of(1, asked, keys::contains)));
    }

    private static LayoutKey key(Instance instance) {
        PhaseName phase = switch (instance.role()) {
            case AGGREGATION -> PhaseName.AGGREGATION;
            case PREFILL -> PhaseName.PREFILL;
            case DECODE -> PhaseName.DECODE;
        };
        return new LayoutKey(instance.device().name(), phase, instance.layout().label());
    }

    private static long longest(ContextsResponse contexts) {
        return contexts.layouts().stream()
                .map(LayoutResponse::longestContextTokens)
                .mapToLong(tokens -> tokens == null ? 0 : tokens)
                .min()
                .orElse(0);
    }

    /// Returns notes on the requests that fit at this context length.
    private static List<String> notes(ContextsResponse contexts) {
        return contexts.layouts().stream()
                .filter(layout -> layout.phase() != PhaseName.PREFILL && layout.mostRequests() != null)
                .map(layout -> "of requests of " + contexts.contextTokens() + " tokens an instance holds "
                        + layout.mostRequests()
                        + " at once; the figures are those of the requests that were asked about")
                .distinct()
                .toList();
    }
}

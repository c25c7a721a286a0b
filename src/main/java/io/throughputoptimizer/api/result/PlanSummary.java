package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.LimitsRequest.TtftBasisName;
import io.throughputoptimizer.api.result.BestPlanResponse.InstancesResponse;
import io.throughputoptimizer.api.result.BestPlanResponse.Role;
import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.serving.Decimals;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Sentences about plans.
final class PlanSummary {
    private static final MathContext DIGITS = new MathContext(4);
    private static final double WHOLE = 1000;

    private PlanSummary() {}

    /// Returns a plan in one sentence.
    static String of(BestPlanResponse plan) {
        boolean one = Objects.equals(plan.instances().getFirst().count(), 1L)
                && plan.instances().size() == 1;
        String rates = and(figure(plan.requestsPerS(), " requests/s"), figure(plan.tokensPerS(), " tokens/s"));
        String latencies = and(
                named(plan.ttftBasis() == TtftBasisName.SETTLED ? "settled TTFT" : "TTFT", plan.ttftMs()),
                named("TPOT", plan.tpotMs()));
        StringBuilder sentence = new StringBuilder(plan.deployment()).append(", ");
        if (rates.isEmpty()) {
            sentence.append(one ? "reaches " : "reach ").append(latencies);
        } else {
            sentence.append(one ? "serves " : "serve ").append(rates);
            if (plan.concurrency() != null) {
                sentence.append(" at concurrency ").append(plan.concurrency());
            }
            sentence.append(" with ").append(latencies);
        }
        if (!plan.limitedBy().isEmpty()) {
            sentence.append("; limited by ")
                    .append(plan.limitedBy().stream().map(PlanSummary::name).collect(Collectors.joining(", ")));
        }
        if (plan.costPerHour() != null) {
            sentence.append("; ")
                    .append(figure(plan.costPerHour(), ""))
                    .append(plan.currency() == null ? "" : " " + plan.currency())
                    .append(" per hour");
        }
        return sentence.append('.').toString();
    }

    /// Returns the instances in words: `4 instances of 2 H100_SXM, TP2`.
    static String deployment(List<InstancesResponse> instances) {
        return instances.stream().map(PlanSummary::instances).collect(Collectors.joining(", and "));
    }

    private static String instances(InstancesResponse group) {
        Long count = group.count();
        return (count == null ? "" : count + " ")
                + (group.role() == Role.SERVE ? "" : WireFormat.name(group.role()) + " ")
                + (Objects.equals(count, 1L) ? "instance of " : "instances of ")
                + group.devicesPerInstance() + " " + group.device() + ", " + layout(group.parallel());
    }

    /// Returns the sizes above 1, tensor parallelism always.
    private static String layout(ParallelResponse parallel) {
        return "TP" + parallel.tp() + size("PP", parallel.pp()) + size("DP", parallel.dp()) + size("EP", parallel.ep())
                + size("MoE-DP", parallel.moeDp()) + size("DCP", parallel.dcp());
    }

    private static String size(String name, @Nullable Integer size) {
        return size == null || size == 1 ? "" : " " + name + size;
    }

    private static String name(BindingName limit) {
        return limit == BindingName.TTFT || limit == BindingName.TPOT
                ? limit.name()
                : WireFormat.name(limit).replace('_', ' ');
    }

    private static @Nullable String named(String name, @Nullable Double millis) {
        return millis == null ? null : name + " " + figure(millis, " ms");
    }

    private static @Nullable String figure(@Nullable Double value, String unit) {
        if (value == null) {
            return null;
        }
        return (value >= WHOLE
                        ? Decimals.grouped(value, 0)
                        : BigDecimal.valueOf(value)
                                .round(DIGITS)
                                .stripTrailingZeros()
                                .toPlainString())
                + unit;
    }

    private static String and(@Nullable String first, @Nullable String second) {
        return Stream.of(first, second).filter(Objects::nonNull).collect(Collectors.joining(" and "));
    }
}

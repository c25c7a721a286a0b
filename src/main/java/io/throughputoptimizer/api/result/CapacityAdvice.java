package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.capacity.DemandPlan;
import io.throughputoptimizer.core.capacity.Requirement;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Advice for a kind of device that cannot serve the demand.
///
/// @param available devices of the kind
record CapacityAdvice(int available, String device) {

    /// @param reaches how far the devices reach
    /// @param needed what would do
    /// @param nearest what to say where no number of devices serves the demand
    List<String> sentences(
            List<? extends DemandPlan> reaches, List<? extends DemandPlan> needed, Supplier<List<String>> nearest) {
        if (needed.isEmpty()) {
            return nearest.get();
        }
        String ours = available + " " + device;
        Stream<String> reached = reaches.isEmpty()
                ? Stream.of(ours + " hold no instance that keeps the limits.")
                : reaches.stream()
                        .map(most ->
                                ours + " serve at most " + words(most.requirement()) + ", " + deployment(most) + ".");
        return Stream.concat(
                        reached,
                        needed.stream()
                                .map(more -> words(more.requirement()) + " take " + more.deviceCount() + " " + device
                                        + ", " + deployment(more) + "."))
                .toList();
    }

    /// Returns the remedy for a limit.
    ///
    /// @param limit absent where there is nothing to try
    /// @param asked limits, in the words in which they were asked for
    /// @param transfer in the TTFT; absent where there is none
    static String widened(@Nullable BindingLimit limit, Limits asked, @Nullable KvTransferLink transfer) {
        return switch (limit) {
            case TTFT -> "; a higher slo.ttft_ms " + (transfer == null ? "" : "or a faster kv_transfer ") + "may do";
            case TPOT ->
                asked.ofUserSpeed() ? "; a lower slo.tokens_per_s_per_user may do" : "; a higher slo.tpot_ms may do";
            case E2E_LATENCY -> "; a higher slo.e2e_latency_ms may do";
            case MEMORY -> "; larger instances, fewer bits or devices with more memory may do";
            case BATCH_RANGE -> "; another search.batch_range may do";
            case SEARCH -> "; another search.strategy may do";
            case MAX_BATCHED_TOKENS, THROUGHPUT, ENGINE, MEASURED_RANGE, LEAST_CONCURRENCY, DEMAND, RATE, MODEL -> "";
            case null -> "";
        };
    }

    private static String deployment(DemandPlan plan) {
        return WireFormat.name(plan.kind());
    }

    private static String words(Requirement demand) {
        String headroom = demand.headroom() > 0 ? " with headroom " + Decimals.general(demand.headroom()) : "";
        return Decimals.general(demand.amount()) + " " + unit(demand.unit()) + headroom;
    }

    private static String unit(Unit unit) {
        return switch (unit) {
            case REQUESTS_PER_S -> "requests/s";
            case TOKENS_PER_S -> "output tokens/s";
            case CONCURRENCY -> "requests at once";
            case CONVERSATIONS -> "conversations at once";
        };
    }

    /// Describes the instances that come nearest to the limits.
    static String nearest(String device, PhaseName phase, int size, String why) {
        return "No instance of " + device + " does " + phase.wireName() + " within the limits: the nearest of " + size
                + " devices: " + why + ".";
    }
}

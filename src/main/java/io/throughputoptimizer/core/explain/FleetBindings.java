package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.explain.Binding.Limit;
import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.explain.FleetExplanation.LayoutBinding;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.FleetResult.Impossible;
import io.throughputoptimizer.core.fleet.FleetResult.Rejection;
import io.throughputoptimizer.core.fleet.FleetResult.Replicas;
import io.throughputoptimizer.core.fleet.FleetRow;
import io.throughputoptimizer.core.fleet.PricedReplicas;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.ServiceLimits;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Says of each layout of replicas on a measured device what binds it.
///
/// @param least that layouts reach
record FleetBindings(FleetQuestion question, Map<ParallelLayout, Least> least) {

    List<LayoutBinding> of(Replicas found) {
        List<LayoutBinding> bindings = new ArrayList<>();
        found.rows().forEach(row -> bindings.add(kept(row)));
        found.rejections().forEach(rejection -> bindings.add(rejected(rejection)));
        return bindings;
    }

    private LayoutBinding kept(FleetRow row) {
        PricedReplicas replicas = PricedReplicas.of(
                        question.problem(), row.at().deployment().layout())
                .orElseThrow();
        int concurrency = row.at().rankConcurrency();
        if (question.goal().prefersFewRequests()) {
            return fewest(row, replicas, concurrency);
        }
        RankBatches asked = question.problem().demand().batches();
        if (asked != null && concurrency == asked.most()) {
            return kept(row, Limit.BATCH_RANGE, "batch_range ends at " + concurrency, null);
        }
        if (asked == null && concurrency >= replicas.mostConcurrency()) {
            return kept(
                    row,
                    replicas.fillsCache() ? Limit.MEMORY : Limit.BATCH_RANGE,
                    replicas.fillsCache()
                            ? "the KV cache of a rank holds no more than " + concurrency + " requests at once"
                            : "no more than " + concurrency + " requests of a rank are tried at once",
                    null);
        }
        String words = "batch size " + (concurrency + 1);
        LawOutcome next = replicas.at(concurrency + 1);
        List<Breach> broken = question.limits().breaches(next);
        if (!broken.isEmpty()) {
            return kept(row, limit(broken.getFirst()), words + ": ", broken.getFirst());
        }
        boolean more = next instanceof Figures figures
                && figures.outputTokensPerSecond() > row.at().figures().outputTokensPerSecond();
        return more
                ? kept(
                        row,
                        Limit.SEARCH,
                        words + " keeps every limit and delivers more, but the search did not try it",
                        null)
                : kept(row, Limit.THROUGHPUT, words + " keeps every limit and delivers no more", null);
    }

    /// What keeps it from serving fewer requests at once, and so faster.
    private LayoutBinding fewest(FleetRow row, PricedReplicas replicas, int concurrency) {
        if (concurrency > replicas.leastConcurrency()) {
            return kept(
                    row,
                    Limit.THROUGHPUT,
                    "batch size " + (concurrency - 1) + " generates no faster for one user",
                    null);
        }
        if (concurrency == 1) {
            return kept(row, Limit.LEAST_CONCURRENCY, "every rank has one request", null);
        }
        long fewer = (concurrency - 1L) * row.at().ranks();
        int floor = question.goal().leastConcurrency();
        return fewer < floor
                ? kept(
                        row,
                        Limit.LEAST_CONCURRENCY,
                        "batch size " + (concurrency - 1) + " serves " + fewer + " requests at once: at least " + floor
                                + " are asked for",
                        null)
                : kept(row, Limit.BATCH_RANGE, "batch_range starts at " + concurrency, null);
    }

    private LayoutBinding kept(FleetRow row, Limit limit, String words, @Nullable Breach breach) {
        return new LayoutBinding(
                row.at().deployment().layout(),
                row.at().rankConcurrency(),
                true,
                limit,
                words,
                breach,
                margins(row),
                least.get(row.at().deployment().layout()),
                row);
    }

    private LayoutBinding rejected(Rejection rejection) {
        return switch (rejection) {
            case Impossible(var layout, String reason) ->
                new LayoutBinding(layout, null, false, Limit.MODEL, reason, null, null, null, null);
            case BrokenLimits(var layout, int concurrency, List<Breach> breaches) -> {
                FleetRow row = PricedReplicas.of(question.problem(), layout)
                        .filter(replicas -> replicas.at(concurrency) instanceof SteadyFigures)
                        .map(replicas -> replicas.rowAt(concurrency))
                        .orElse(null);
                yield new LayoutBinding(
                        layout,
                        concurrency,
                        false,
                        limit(breaches.getFirst()),
                        "",
                        breaches.getFirst(),
                        row == null ? null : margins(row),
                        least.get(layout),
                        row);
            }
        };
    }

    private static Limit limit(Breach breach) {
        return switch (breach.limit()) {
            case KV_TOKENS -> Limit.MEMORY;
            case TTFT_MILLIS -> Limit.TTFT;
            case TPOT_MILLIS -> Limit.TPOT;
            case CONCURRENCY -> Limit.BATCH_RANGE;
            case REQUEST_RATE -> throw new IllegalArgumentException("rates need a simulation, which is not explained");
        };
    }

    private Margins margins(FleetRow row) {
        ServiceLimits limits = question.limits();
        SteadyFigures figures = row.at().figures();
        double used = row.at().running()
                * question.problem().demand().traffic().mean().cachedTokens();
        double token = SiliconMemory.of(row.at().deployment()).cacheBytesPerToken();
        double left = (row.cacheTokens() - used) * token;
        double capacity = row.at().deployment().calibration().peaks().memoryBytes();
        return new Margins(
                Margin.of(Double.valueOf(question.ttftMillis(figures)), limits.ttftMillis()),
                Margin.of(Double.valueOf(figures.tpotMillis()), limits.tpotMillis()),
                new Margin(left, left / capacity));
    }
}

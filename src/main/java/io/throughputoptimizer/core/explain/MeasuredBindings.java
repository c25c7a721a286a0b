package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.explain.Binding.OfArrangement;
import io.throughputoptimizer.core.explain.Standings.Standing;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredBinds;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.Found;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.measured.MeasuredServing;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.steady.BestConcurrency;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.workload.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the bottleneck of each arrangement in the calibrated model.
///
/// @param servings all arrangements that have a price
/// @param least best achievable figures by arrangement
record MeasuredBindings(
        MeasuredQuestion question,
        Map<Arrangement, MeasuredServing> servings,
        Map<Arrangement, Least> least,
        Standings standings) {

    List<Binding> of(Found found) {
        List<Binding> bindings = new ArrayList<>();
        found.rows().forEach(row -> bindings.add(kept(row)));
        found.rejections().forEach(one -> bindings.add(rejected(one)));
        return bindings;
    }

    private Binding kept(MeasuredRow row) {
        standings.failWhenCancelled();
        MeasuredServing serving =
                Optional.ofNullable(servings.get(row.at().arrangement())).orElseThrow();
        int concurrency = (int) row.at().figures().concurrency();
        if (question.objective().prefersFewRequests()) {
            return fewest(row, serving, concurrency);
        }
        if (question.problem().demand().batches() != null && concurrency >= serving.mostConcurrency()) {
            return kept(
                    row, BindingLimit.BATCH_RANGE, "batch_range ends at " + Fewer.ofRange(concurrency, isOfPairs()));
        }
        String words = words(concurrency + 1);
        LawOutcome next = serving.at(concurrency + 1);
        List<Breach> broken = standings.of(serving, concurrency + 1, next).breaches();
        if (!broken.isEmpty()) {
            Breach first = broken.getFirst();
            return kept(row, MeasuredBinds.of(first), words + ": " + described(first));
        }
        if (serving.isFull(row.at().figures())) {
            return kept(
                    row,
                    BindingLimit.MEMORY,
                    "the KV cache of a rank holds no more than "
                            + Decimals.general(row.at().running()) + " requests");
        }
        boolean more = next instanceof SteadyFigures figures
                && BestConcurrency.isMore(figures, row.at().figures());
        if (!more) {
            return kept(row, BindingLimit.THROUGHPUT, words + " keeps every limit and delivers no more");
        }
        String delivers = words + " keeps every limit and delivers more, ";
        if (serving.isReliable(row.at().figures()) && !serving.isReliable((SteadyFigures) next)) {
            return kept(row, BindingLimit.MEASURED_RANGE, delivers + "but its band is wider than 1:10");
        }
        return concurrency < serving.mostConcurrency()
                ? kept(row, BindingLimit.SEARCH, delivers + "but the search did not try it")
                : kept(
                        row,
                        BindingLimit.ENGINE,
                        delivers + "but the engine runs no more than " + Fewer.ofRange(concurrency, isOfPairs())
                                + " unless batch_range sets another limit");
    }

    /// Returns the limit that prevents a smaller concurrency and so a lower latency.
    private Binding fewest(MeasuredRow row, MeasuredServing serving, int concurrency) {
        Fewer fewer = Fewer.of(
                concurrency,
                serving.leastConcurrency(),
                serving.instances().shares(),
                question.objective().leastConcurrency(),
                isOfPairs());
        return kept(row, fewer.limit(), fewer.words());
    }

    private boolean isOfPairs() {
        return question.aim() == Aim.PD_RATIO;
    }

    private String words(int concurrency) {
        return (isOfPairs() ? "concurrency " : "batch size ") + concurrency;
    }

    private Binding kept(MeasuredRow row, BindingLimit limit, String words) {
        Arrangement arrangement = row.at().arrangement();
        return new Binding(
                of(arrangement, row),
                (long) row.at().figures().concurrency(),
                true,
                limit,
                words,
                margins(row),
                least.get(arrangement));
    }

    private OfArrangement of(Arrangement arrangement, @Nullable MeasuredRow row) {
        return new OfArrangement(
                arrangement, row, question.problem().demand().traffic().lengths());
    }

    private Binding rejected(Rejection rejection) {
        return switch (rejection) {
            case Impossible(Arrangement arrangement, String reason) ->
                new Binding(of(arrangement, null), null, false, BindingLimit.MODEL, reason, null, null);
            case BrokenLimits(Arrangement arrangement, int concurrency, List<Breach> breaches, var _) ->
                broken(arrangement, concurrency, breaches);
        };
    }

    private Binding broken(Arrangement arrangement, int concurrency, List<Breach> breaches) {
        standings.failWhenCancelled();
        MeasuredRow row = Optional.ofNullable(servings.get(arrangement))
                .filter(serving -> serving.at(concurrency) instanceof SteadyFigures)
                .map(serving -> serving.rowAt(concurrency))
                .orElse(null);
        return new Binding(
                of(arrangement, row),
                arrangement instanceof Arrangement.Side ? null : (Long) (long) concurrency,
                false,
                MeasuredBinds.of(breaches.getFirst()),
                described(breaches.getFirst()),
                row == null || isBeyondSimulation(concurrency) ? null : margins(row),
                least.get(arrangement));
    }

    /// Returns whether the limits require a simulation and the concurrency is too large for one.
    private boolean isBeyondSimulation(int rankConcurrency) {
        return standings.areSimulated()
                && !question.problem().demand().traffic().canLoop(rankConcurrency);
    }

    private String described(Breach breach) {
        return LimitBreach.description(breach, question.limits().percentile());
    }

    private Margins margins(MeasuredRow row) {
        Limits limits = question.limits();
        SteadyFigures figures = row.at().figures();
        Standing standing = standings.of(
                Optional.ofNullable(servings.get(row.at().arrangement())).orElseThrow(),
                (int) figures.concurrency(),
                figures);
        Margin memory = row.memory(question.problem().demand().traffic().lengths())
                .map(one -> margin(one, row.at().running()))
                .orElse(null);
        return new Margins(
                Margin.of(standing.ttftMillis(), limits.ttftMillis()),
                Margin.of(standing.tpotMillis(), limits.tpotMillis()),
                Margin.of(standing.requestLatencyMillis(), limits.requestLatencyMillis()),
                memory);
    }

    private Margin margin(RankMemory memory, double running) {
        double request = question.problem().demand().traffic().mean().cached(memory.cache()::heldBytes);
        double left = memory.usableBytes() - running * request;
        return new Margin(left, left / (memory.rank().device().seenGib() * RankMemory.GIB));
    }
}

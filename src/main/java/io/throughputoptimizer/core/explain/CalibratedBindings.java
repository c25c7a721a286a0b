package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Found;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Rejection;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.calibrated.CalibratedServing;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.explain.Binding.OfArrangement;
import io.throughputoptimizer.core.explain.LimitMargins.Standing;
import io.throughputoptimizer.core.load.BestConcurrency;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.serving.LimitBreach;
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
record CalibratedBindings(
        CalibratedQuestion question,
        Map<InstanceLayout, CalibratedServing> servings,
        Map<InstanceLayout, BestReachable> least,
        LimitMargins standings) {

    List<Binding> of(Found found) {
        List<Binding> bindings = new ArrayList<>();
        found.rows().forEach(row -> bindings.add(kept(row)));
        found.rejections().forEach(one -> bindings.add(rejected(one)));
        return bindings;
    }

    private Binding kept(CalibratedRow row) {
        standings.failWhenCancelled();
        CalibratedServing serving =
                Optional.ofNullable(servings.get(row.at().arrangement())).orElseThrow();
        int concurrency = (int) row.at().figures().concurrency();
        if (question.objective().prefersFewRequests()) {
            return fewest(row, serving, concurrency);
        }
        if (question.problem().demand().batches() != null && concurrency >= serving.mostConcurrency()) {
            return kept(
                    row,
                    BindingLimit.BATCH_RANGE,
                    "batch_range ends at " + LowerConcurrencyBlocker.ofRange(concurrency, isOfPairs()));
        }
        String words = words(concurrency + 1);
        LawOutcome next = serving.at(concurrency + 1);
        List<Breach> broken = standings.of(serving, concurrency + 1, next).breaches();
        if (!broken.isEmpty()) {
            Breach first = broken.getFirst();
            return kept(row, CalibratedBinds.of(first), words + ": " + described(first));
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
                        delivers + "but the engine runs no more than "
                                + LowerConcurrencyBlocker.ofRange(concurrency, isOfPairs())
                                + " unless batch_range sets another limit");
    }

    /// Returns the limit that prevents a smaller concurrency and so a lower latency.
    private Binding fewest(CalibratedRow row, CalibratedServing serving, int concurrency) {
        LowerConcurrencyBlocker fewer = LowerConcurrencyBlocker.of(
                concurrency,
                serving.leastConcurrency(),
                serving.instances().shares(),
                question.objective().leastConcurrency(),
                isOfPairs());
        return kept(row, fewer.limit(), fewer.words());
    }

    private boolean isOfPairs() {
        return question.aim() == QuestionKind.PD_RATIO;
    }

    private String words(int concurrency) {
        return (isOfPairs() ? "concurrency " : "batch size ") + concurrency;
    }

    private Binding kept(CalibratedRow row, BindingLimit limit, String words) {
        InstanceLayout arrangement = row.at().arrangement();
        return new Binding(
                of(arrangement, row),
                (long) row.at().figures().concurrency(),
                true,
                limit,
                words,
                margins(row),
                least.get(arrangement));
    }

    private OfArrangement of(InstanceLayout arrangement, @Nullable CalibratedRow row) {
        return new OfArrangement(
                arrangement, row, question.problem().demand().traffic().lengths());
    }

    private Binding rejected(Rejection rejection) {
        return switch (rejection) {
            case Impossible(InstanceLayout arrangement, String reason) ->
                new Binding(of(arrangement, null), null, false, BindingLimit.MODEL, reason, null, null);
            case BrokenLimits(InstanceLayout arrangement, int concurrency, List<Breach> breaches, var _) ->
                broken(arrangement, concurrency, breaches);
        };
    }

    private Binding broken(InstanceLayout arrangement, int concurrency, List<Breach> breaches) {
        standings.failWhenCancelled();
        CalibratedRow row = Optional.ofNullable(servings.get(arrangement))
                .filter(serving -> serving.at(concurrency) instanceof SteadyFigures)
                .map(serving -> serving.rowAt(concurrency))
                .orElse(null);
        return new Binding(
                of(arrangement, row),
                arrangement instanceof InstanceLayout.Side ? null : (Long) (long) concurrency,
                false,
                CalibratedBinds.of(breaches.getFirst()),
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

    private Margins margins(CalibratedRow row) {
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

    /// The limit that prevents a candidate from serving fewer concurrent requests at lower latency.
    record LowerConcurrencyBlocker(BindingLimit limit, String words) {

        /// @param load requests per share of the load
        /// @param least smallest load of the search
        /// @param shares number of shares of the load
        /// @param floor minimum concurrency over all shares
        /// @param pairs true if loads count all requests of calibrated pairs rather than those of a rank
        static LowerConcurrencyBlocker of(long load, long least, int shares, int floor, boolean pairs) {
            BindingLimit limit = BindingLimit.ofFewer(load, least, shares, floor);
            String one = (pairs ? "concurrency " : "batch size ") + (load - 1);
            String words;
            if (limit == BindingLimit.THROUGHPUT) {
                words = one + " generates no faster for one user";
            } else if (limit == BindingLimit.BATCH_RANGE) {
                words = "batch_range starts at " + ofRange(load, pairs);
            } else if (load == 1) {
                words = pairs ? "there is one request" : "every rank has one request";
            } else {
                words = one + " serves " + (load - 1) * shares + " requests at once: at least " + floor
                        + " are asked for";
            }
            return new LowerConcurrencyBlocker(limit, words);
        }

        /// Describes a load: the concurrency of all decode ranks for pairs, else the batch size of a rank.
        static String ofRange(long load, boolean pairs) {
            return pairs ? "concurrency " + load + " of all decode ranks" : Long.toString(load);
        }
    }
}

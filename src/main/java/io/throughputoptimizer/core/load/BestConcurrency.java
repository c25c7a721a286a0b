package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Search for the best concurrency within latency targets. Used once, by one thread.
///
/// Latencies grow with the concurrency, so bisection finds the largest concurrency within the targets.
/// Throughput need not grow, and may have several local maxima: the search scans concurrencies up to the
/// largest in steps of a quarter, and bisects the slope around each local maximum, or around the best of them
/// ([ConcurrencySampling]). The result is the best tried concurrency within the targets, or one of at most half of it
/// whose
/// value is equal within 0.1%.
///
/// If latencies need not grow, each concurrency is tried ([ConcurrencySampling#EACH]).
///
/// If the figures of the best one are unreliable, the best up to the largest reliable concurrency replaces it:
/// figures grow less reliable with the concurrency.
public final class BestConcurrency {
    /// Relative difference below which values count as equal.
    private static final double SAME = 0.001;

    private final ConcurrencySampling scan;
    private final Preference preference;
    private final IntFunction<LawOutcome> law;
    private final Check check;
    private final Predicate<SteadyFigures> reliable;
    private @Nullable SteadyFigures unreliable;
    private final TreeMap<Integer, LawOutcome> outcomes = new TreeMap<>();
    private final TreeMap<Integer, List<Breach>> breaches = new TreeMap<>();

    /// Steady-state figures of a concurrency, and whether they meet the targets.
    public record Tried(SteadyFigures figures, boolean withinLimits) {}

    /// Knowledge about concurrencies above the best, without further evaluations.
    ///
    /// @param broken targets that the next concurrency exceeds
    /// @param deliversNoMore whether higher concurrencies within the targets were tried, including the next one
    ///     if it was tried, and none has more tokens per second ([#isMore])
    /// @param unreliable best figures at a higher concurrency that are unreliable; absent if there are none
    public record Beyond(
            List<Breach> broken,
            boolean deliversNoMore,
            @Nullable SteadyFigures unreliable) {
        public Beyond {
            broken = List.copyOf(broken);
        }
    }

    /// Check of latency targets at a concurrency.
    @FunctionalInterface
    public interface Check {
        List<Breach> breaches(int concurrency, LawOutcome outcome);

        /// Returns whether an outcome exceeds the TPOT target by the law alone, which then needs no simulation of its
        /// TTFT.
        default boolean exceedsTpot(LawOutcome outcome) {
            return false;
        }

        /// Returns the number of simulations run.
        default int simulations() {
            return 0;
        }

        /// Returns a check of the law's means.
        ///
        /// @param checkpoint called at each concurrency; may cancel the search by an exception
        /// @throws IllegalArgumentException if the targets are on a percentile
        static Check ofMeans(Limits limits, Runnable checkpoint) {
            if (limits.percentile() != null) {
                throw new IllegalArgumentException("a percentile needs a simulation");
            }
            return (_, outcome) -> {
                checkpoint.run();
                return Breach.of(limits, outcome);
            };
        }
    }

    /// Result of a search.
    ///
    /// @param best best figures; absent if the least concurrency exceeds the targets
    /// @param beyond knowledge about higher concurrencies; absent without a best one, or if not searched for
    /// @param breaches exceeded targets of the least concurrency; empty if there is a best one
    /// @param tried concurrencies that fit in memory, ascending; for percentile targets those simulated
    /// @param evaluations number of concurrencies at which the law was evaluated
    /// @param simulations number of simulations run
    public record Found(
            @Nullable SteadyFigures best,
            @Nullable Beyond beyond,
            List<Breach> breaches,
            List<Tried> tried,
            long evaluations,
            int simulations) {

        /// Returns a sample for a chart: concurrencies in steps of a quarter, the best, and those next to a
        /// change between feasible and infeasible.
        public List<Tried> sparse() {
            List<Tried> shown = new ArrayList<>();
            double next = 0;
            for (int index = 0; index < tried.size(); index++) {
                Tried one = tried.get(index);
                double concurrency = one.figures.concurrency();
                boolean turns = Stream.of(index - 1, index + 1)
                        .anyMatch(beside -> beside >= 0
                                && beside < tried.size()
                                && tried.get(beside).withinLimits != one.withinLimits);
                if (concurrency >= next || turns || one.figures.equals(best) || index == tried.size() - 1) {
                    shown.add(one);
                    next = ConcurrencySampling.EVERY_SUMMIT.next((int) concurrency, Integer.MAX_VALUE);
                }
            }
            return shown;
        }
    }

    /// Creates a search.
    ///
    /// @param reliable predicate of reliable figures; it holds up to some concurrency and not beyond
    public BestConcurrency(
            ConcurrencySampling scan,
            Preference preference,
            IntFunction<LawOutcome> law,
            Check check,
            Predicate<SteadyFigures> reliable) {
        this.scan = scan;
        this.preference = preference;
        this.law = law;
        this.check = check;
        this.reliable = reliable;
    }

    /// Searches a range of concurrencies.
    ///
    /// @param least required minimum; may exceed `most`
    /// @param checkAll whether to check targets of concurrencies that the search evaluated without a check;
    ///     otherwise these are left out
    public Found search(int least, int most, boolean checkAll) {
        if (least > most) {
            return new Found(null, null, List.of(Breach.tooFew(least, most)), List.of(), 0, 0);
        }
        Optional<SteadyFigures> best = find(least, most);
        List<Breach> broken = best.isPresent() ? List.of() : breaches(least);
        List<Tried> tried = tried(checkAll);
        Beyond beyond = best.map(this::beyond).orElse(null);
        return new Found(best.orElse(null), beyond, broken, tried, outcomes.size(), check.simulations());
    }

    /// Searches a range of concurrencies for the best figures alone, with as few simulations as that takes: the
    /// result lists no tried concurrencies, and says nothing about higher ones.
    ///
    /// @param least required minimum; may exceed `most`
    public Found searchBest(int least, int most) {
        if (least > most) {
            return search(least, most, false);
        }
        Optional<SteadyFigures> best = find(least, most);
        return new Found(
                best.orElse(null),
                null,
                best.isPresent() ? List.of() : breaches(least),
                List.of(),
                outcomes.size(),
                check.simulations());
    }

    /// Returns whether one throughput exceeds another by more than the tolerance of equal values.
    public static boolean isMore(SteadyFigures one, SteadyFigures other) {
        return one.outputTokensPerSecond() > other.outputTokensPerSecond() * (1 + SAME);
    }

    /// Returns the knowledge about concurrencies above the best.
    ///
    /// @param best best figures found
    public Beyond beyond(SteadyFigures best) {
        int next = (int) best.concurrency() + 1;
        List<Breach> broken = breaches.getOrDefault(next, List.of());
        if (!broken.isEmpty()) {
            return new Beyond(broken, false, unreliable);
        }
        Collection<LawOutcome> tried = outcomes.containsKey(next)
                ? outcomes.subMap(next, next + 1).values()
                : outcomes.tailMap(next).entrySet().stream()
                        .filter(one ->
                                breaches.getOrDefault(one.getKey(), List.of()).isEmpty())
                        .map(Map.Entry::getValue)
                        .toList();
        return new Beyond(
                List.of(),
                !tried.isEmpty()
                        && tried.stream()
                                .noneMatch(one -> one instanceof SteadyFigures figures && isMore(figures, best)),
                unreliable);
    }

    /// Returns the best figures; empty if the least concurrency exceeds a target, or with [ConcurrencySampling#EACH]
    /// if all
    /// do.
    public Optional<SteadyFigures> find(int least, int most) {
        Optional<SteadyFigures> best = findAny(least, most);
        Optional<SteadyFigures> relied = best.filter(reliable.negate())
                .flatMap(figures -> largestReliable(least, (int) figures.concurrency()))
                .flatMap(largest -> findAny(least, largest));
        if (relied.isPresent()) {
            unreliable = best.orElseThrow();
            return relied;
        }
        return best;
    }

    /// Returns the largest reliable concurrency below an unreliable one.
    private Optional<Integer> largestReliable(int least, int concurrency) {
        if (least >= concurrency || !isReliable(least)) {
            return Optional.empty();
        }
        int low = least;
        int high = concurrency;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (isReliable(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return Optional.of(low);
    }

    private boolean isReliable(int concurrency) {
        return outcome(concurrency) instanceof SteadyFigures figures && reliable.test(figures);
    }

    private Optional<SteadyFigures> findAny(int least, int most) {
        if (scan == ConcurrencySampling.EACH) {
            return each(least, most);
        }
        if (!keeps(least)) {
            return Optional.empty();
        }
        int largest = keeps(most) ? most : largestThatKeeps(least, most);
        scan(least, largest);
        return highest(least, largest).map(figures -> fewest(least, figures));
    }

    private Optional<SteadyFigures> each(int least, int most) {
        keeps(least);
        for (int last = least; last < most; last = scan.next(last, most)) {
            keeps(scan.next(last, most));
        }
        return highest(least, most).map(figures -> fewest(least, figures));
    }

    /// Returns the smallest tried concurrency up to half of the best whose value is equal within 0.1%, or one
    /// between it and the one tried before; the best if there is none.
    private SteadyFigures fewest(int least, SteadyFigures highest) {
        double worth = preference.of(highest);
        double enough = worth - SAME * Math.abs(worth);
        int half = (int) highest.concurrency() / 2;
        Optional<Integer> same = half < least
                ? Optional.empty()
                : List.copyOf(outcomes.subMap(least, true, half, true).keySet()).stream()
                        .filter(concurrency -> worth(concurrency) >= enough && keeps(concurrency))
                        .findFirst();
        if (same.isEmpty()) {
            return highest;
        }
        int high = same.get();
        Integer tried = outcomes.lowerKey(high);
        int low = tried == null || tried < least ? high : tried;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (worth(middle) >= enough && keeps(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return (SteadyFigures) outcome(high);
    }

    private Optional<SteadyFigures> highest(int least, int largest) {
        return outcomes.subMap(least, true, largest, true).entrySet().stream()
                .sorted(Comparator.comparingDouble(tried -> -preference.of(tried.getValue())))
                .filter(tried -> keeps(tried.getKey()))
                .flatMap(tried ->
                        tried.getValue() instanceof SteadyFigures figures ? Stream.of(figures) : Stream.empty())
                .findFirst();
    }

    private List<Breach> breaches(int concurrency) {
        return breaches.computeIfAbsent(concurrency, one -> check.breaches(one, outcome(one)));
    }

    /// Returns the evaluated concurrencies that fit in memory, ascending.
    ///
    /// @param checkAll whether to check targets of concurrencies that the search evaluated without a check;
    ///     otherwise these are left out
    private List<Tried> tried(boolean checkAll) {
        return outcomes.entrySet().stream()
                .filter(one -> checkAll || breaches.containsKey(one.getKey()))
                .flatMap(one -> one.getValue() instanceof SteadyFigures figures
                        ? Stream.of(new Tried(figures, breaches(one.getKey()).isEmpty()))
                        : Stream.empty())
                .toList();
    }

    private boolean keeps(int concurrency) {
        return !check.exceedsTpot(outcome(concurrency)) && breaches(concurrency).isEmpty();
    }

    private int largestThatKeeps(int least, int most) {
        int low = least;
        int high = most;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (keeps(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void scan(int least, int largest) {
        List<Integer> tried = new ArrayList<>();
        tried.add(least);
        for (int last = least; last < largest; last = tried.getLast()) {
            tried.add(scan.next(last, largest));
        }
        IntStream.range(0, tried.size())
                .filter(index -> worth(tried.get(index)) >= worth(before(tried, index))
                        && worth(tried.get(index)) >= worth(after(tried, index)))
                .boxed()
                .sorted(Comparator.comparingDouble(index -> -worth(tried.get(index))))
                .limit(scan.summits())
                .forEach(index -> climb(before(tried, index), after(tried, index)));
    }

    private static int before(List<Integer> tried, int index) {
        return tried.get(Math.max(index - 1, 0));
    }

    private static int after(List<Integer> tried, int index) {
        return tried.get(Math.min(index + 1, tried.size() - 1));
    }

    /// Bisects the slope between two concurrencies.
    private void climb(int least, int largest) {
        int low = least;
        int high = largest;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (worth(middle) < worth(middle + 1)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    }

    private double worth(int concurrency) {
        return preference.of(outcome(concurrency));
    }

    private LawOutcome outcome(int concurrency) {
        return outcomes.computeIfAbsent(concurrency, law::apply);
    }

    /// Criterion for the best concurrency of a layout among those within the targets.
    ///
    /// @param worth value to maximize; must depend on the figures only
    public record Preference(ToDoubleFunction<SteadyFigures> worth) {
        /// Highest tokens per second.
        public static final Preference MOST_TOKENS = new Preference(SteadyFigures::outputTokensPerSecond);

        public static final Preference SHORTEST_TPOT = new Preference(figures -> -figures.tpotMillis());

        double of(LawOutcome outcome) {
            return outcome instanceof SteadyFigures figures ? worth.applyAsDouble(figures) : Double.NEGATIVE_INFINITY;
        }
    }
}

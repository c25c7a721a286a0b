package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How many prefill workers feed how many decode workers, and with which layouts and how many requests: all pairs
/// of layouts, all counts that leave no room for one more worker, ranked by tokens per second and device that
/// works.
///
/// @param limits on means; no simulation knows workers of two kinds
/// @param batches requests per decode rank; absent for all that a rank can run
/// @param preference which concurrency of workers is best
/// @param scan how closely it is looked for
/// @param transferMillis of the KV cache of a request to decode
public record DisaggregatedSearch(
        Traffic traffic,
        Limits limits,
        @Nullable RankBatches batches,
        Preference preference,
        Scan scan,
        double transferMillis) {
    /// Of the most tokens per second, where caches get to decode in no time.
    public DisaggregatedSearch(Traffic traffic, Limits limits, @Nullable RankBatches batches) {
        this(traffic, limits, batches, Preference.MOST_TOKENS, Scan.EVERY_SUMMIT, 0);
    }

    public DisaggregatedSearch {
        if (limits.percentile() != null) {
            throw new IllegalArgumentException("percentiles need a simulation, which prefill workers have none");
        }
    }

    /// Which numbers of workers are tried.
    public enum Numbers {
        /// Those that leave no room for one more.
        FULL,
        /// All, of multiples of each other the largest: it does all that the smaller do, in proportion.
        ALL,
        /// The same where each kind of worker has as many devices of its own.
        APART
    }

    /// Devices available, and those of one worker of each kind.
    ///
    /// @param devices for both kinds of worker, or where each has its own for those of prefill
    /// @param devicesOfDecode the same unless each has its own
    public record Stock(int devices, int devicesOfDecode, int prefillDevices, int decodeDevices, Numbers numbers) {
        /// Counts up to which those in lowest terms are counted: of one side at most the square root of them.
        private static final long COUNTED = 10_000;

        private static final int[] MOEBIUS = IntStream.rangeClosed(0, (int) Math.sqrt(COUNTED))
                .map(Stock::moebius)
                .toArray();

        /// Tried where they leave no room for one more.
        public Stock(int devices, int prefillDevices, int decodeDevices) {
            this(devices, devices, prefillDevices, decodeDevices, Numbers.FULL);
        }

        /// Counts of workers to try; none if the devices do not hold a worker of each kind.
        public List<Counts> counts() {
            return switch (numbers) {
                case FULL -> full();
                case ALL, APART -> all().toList();
            };
        }

        /// An upper bound of how many [#counts] there are, without making them.
        public long mostCounts() {
            long most = (long) (devices / prefillDevices) * (devicesOfDecode / decodeDevices);
            return numbers == Numbers.FULL ? countFull() : most > COUNTED ? most : countAll();
        }

        /// With more prefill workers those of decode become fewer one by one, unless one of prefill takes as many
        /// devices or more.
        private long countFull() {
            int most = mostPrefill();
            return prefillDevices >= decodeDevices || most == 0 ? most : decodeWorkers(1) - decodeWorkers(most + 1);
        }

        /// Of counts that are multiples of each other one is tried: there are as many as counts in lowest terms that
        /// the devices hold. By inclusion and exclusion: those with a divisor `k` in both are as many as
        /// a `k`-th of the devices holds.
        private long countAll() {
            long all = 0;
            int last = Math.min(devices / prefillDevices, devicesOfDecode / decodeDevices);
            for (int divisor = 1; divisor <= last; divisor++) {
                int sign = MOEBIUS[divisor];
                all += sign == 0 ? 0 : sign * held(devices / divisor, devicesOfDecode / divisor);
            }
            return all;
        }

        /// Counts that so many devices hold.
        private long held(int ofPrefill, int ofDecode) {
            if (numbers == Numbers.APART) {
                return (long) (ofPrefill / prefillDevices) * (ofDecode / decodeDevices);
            }
            int larger = Math.max(prefillDevices, decodeDevices);
            int smaller = Math.min(prefillDevices, decodeDevices);
            long held = 0;
            for (long left = (long) ofPrefill - larger; left >= smaller; left -= larger) {
                held += left / smaller;
            }
            return held;
        }

        /// 0 of a number with a square in it, else 1 or -1 as it has an even or an odd number of prime factors.
        private static int moebius(int number) {
            int sign = 1;
            int left = number;
            for (int factor = 2; factor * factor <= left; factor++) {
                if (left % factor == 0) {
                    left /= factor;
                    if (left % factor == 0) {
                        return 0;
                    }
                    sign = -sign;
                }
            }
            return left > 1 ? -sign : sign;
        }

        private Stream<Counts> all() {
            return IntStream.rangeClosed(1, devices / prefillDevices)
                    .boxed()
                    .flatMap(prefill -> IntStream.rangeClosed(1, devicesOfDecode / decodeDevices)
                            .mapToObj(decode -> new Counts(prefill, decode))
                            .filter(counts -> holds(counts, 0) && !holds(counts, 1)));
        }

        /// @param more times the counts in lowest terms
        private boolean holds(Counts counts, int more) {
            int divisor = divisor(counts.prefill, counts.decode);
            int prefill = (counts.prefill + more * counts.prefill / divisor) * prefillDevices;
            int decode = (counts.decode + more * counts.decode / divisor) * decodeDevices;
            return numbers == Numbers.APART
                    ? prefill <= devices && decode <= devicesOfDecode
                    : prefill + decode <= devices;
        }

        private static int divisor(int one, int other) {
            return other == 0 ? one : divisor(other, one % other);
        }

        /// Counts of workers that no other counts exceed in one kind without giving up the other, the fewest
        /// prefill workers first; none if the devices do not hold a worker of each kind.
        private List<Counts> full() {
            return IntStream.rangeClosed(1, mostPrefill())
                    .filter(prefill -> decodeWorkers(prefill + 1) < decodeWorkers(prefill))
                    .mapToObj(prefill -> new Counts(prefill, decodeWorkers(prefill)))
                    .toList();
        }

        private int mostPrefill() {
            return Math.max(0, (devices - decodeDevices) / prefillDevices);
        }

        private int decodeWorkers(int prefillWorkers) {
            return Math.floorDiv(devices - prefillWorkers * prefillDevices, decodeDevices);
        }

        private int used(Counts counts) {
            return counts.prefill * prefillDevices + counts.decode * decodeDevices;
        }
    }

    /// Workers of each kind.
    public record Counts(int prefill, int decode) {}

    /// The layout of a worker: attention data parallel ranks, each a [ServingRank] of its own.
    ///
    /// @param layout what the caller knows it by
    public record Worker<L>(L layout, ServingRank rank, int dp) {}

    /// A layout for each kind, and how many workers of it.
    public record Candidate<L>(Worker<L> prefill, Worker<L> decode, Counts counts) {}

    /// A candidate at its best concurrency.
    ///
    /// @param figures of all workers
    public record Row<L>(Candidate<L> candidate, DisaggregatedFigures figures, int devicesUsed) {

        public double outputTokensPerSecondPerDevice() {
            return figures.outputTokensPerSecond() / devicesUsed;
        }
    }

    /// A candidate that breaks limits at the least concurrency.
    public record Rejection<L>(Candidate<L> candidate, List<Breach> breaches) {}

    /// A candidate at a concurrency that was tried and fits in memory.
    ///
    /// @param figures as those of a row
    public record Point<L>(Candidate<L> candidate, DisaggregatedFigures figures, boolean withinLimits) {}

    /// @param rows the best first
    /// @param points of the candidates in their order, by concurrency
    /// @param evaluations concurrencies at which the law was asked
    public record Ranking<L>(
            List<Row<L>> rows, List<Rejection<L>> rejections, List<Point<L>> points, long evaluations) {}

    /// @param checkpoint is called again and again, and may end the work by an exception
    public <L> Ranking<L> run(Stock stock, List<Worker<L>> prefill, List<Worker<L>> decode, Runnable checkpoint) {
        List<Row<L>> rows = new ArrayList<>();
        List<Rejection<L>> rejections = new ArrayList<>();
        List<Point<L>> points = new ArrayList<>();
        long evaluations = 0;
        for (Candidate<L> candidate : candidates(stock, prefill, decode)) {
            BestConcurrency best = new BestConcurrency(scan, preference, law(candidate)::at, (_, outcome) -> {
                checkpoint.run();
                return Breach.of(limits, outcome);
            });
            int ranks = candidate.counts().decode() * candidate.decode().dp();
            RankBatches asked = batches;
            RankBatches tried = asked == null
                    ? RankBatches.unasked(candidate.decode().rank(), traffic.mean(), ranks)
                    : asked.times(ranks);
            int least = Math.max(tried.least(), preference.leastConcurrency());
            if (least > tried.most()) {
                rejections.add(new Rejection<>(candidate, List.of(Breach.tooFew(least, tried.most()))));
                continue;
            }
            best.find(least, tried.most())
                    .ifPresentOrElse(
                            figures -> rows.add(new Row<>(
                                    candidate, (DisaggregatedFigures) figures, stock.used(candidate.counts()))),
                            () -> rejections.add(new Rejection<>(candidate, best.breaches(least))));
            best.tried(true)
                    .forEach(one -> points.add(
                            new Point<>(candidate, (DisaggregatedFigures) one.figures(), one.withinLimits())));
            evaluations += best.evaluations();
        }
        rows.sort(Comparator.<Row<L>>comparingDouble(row -> -row.outputTokensPerSecondPerDevice())
                .thenComparingDouble(row -> row.figures().tpotMillis()));
        return new Ranking<>(List.copyOf(rows), List.copyOf(rejections), List.copyOf(points), evaluations);
    }

    private static <L> List<Candidate<L>> candidates(Stock stock, List<Worker<L>> prefill, List<Worker<L>> decode) {
        return stock.counts().stream()
                .flatMap(counts -> prefill.stream()
                        .flatMap(one -> decode.stream().map(other -> new Candidate<>(one, other, counts))))
                .toList();
    }

    private DisaggregatedLaw law(Candidate<?> candidate) {
        return new DisaggregatedLaw(
                workers(candidate.prefill(), candidate.counts().prefill()),
                workers(candidate.decode(), candidate.counts().decode()),
                traffic.mean(),
                traffic.waves(),
                transferMillis);
    }

    private static DisaggregatedLaw.Workers workers(Worker<?> worker, int count) {
        return new DisaggregatedLaw.Workers(worker.rank(), worker.dp() * count);
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.OutputLengths;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A kind of prefill instance that feeds a kind of decode instance (P/D ratio, combination). Nothing is rounded but
/// the latencies, which come from recorded rows.
///
/// @param rank place in its table from 1; absent in lists that are not ranked
/// @param ratio `P / D`: as many prefill instances per decode instance keep both busy, since balance needs
///     `P * prefill.qps = D * decode.qps`. 2.0 means two prefill instances for one decode instance
/// @param balancedQps requests per second of one prefill with one decode instance, the lesser of both rates. It does
///     not look at the devices they take, so it is no throughput per device
/// @param instances how many of each the available devices hold; absent when they hold none
/// @param together what these instances deliver together; absent where pairs are ranked by the reference's rules
/// @param available what the available devices make of the pair; absent in lists that are not ranked
public record PdRatioRow(
        @Nullable Integer rank,
        double ratio,
        double balancedQps,
        Side prefill,
        Side decode,
        @Nullable InstanceCounts instances,
        @Nullable Together together,
        @Nullable Available available) {

    /// A pair by the reference's rules.
    public PdRatioRow(
            @Nullable Integer rank,
            double ratio,
            double balancedQps,
            Side prefill,
            Side decode,
            @Nullable InstanceCounts instances) {
        this(rank, ratio, balancedQps, prefill, decode, instances, null, null);
    }

    /// What some instances of each side deliver together.
    ///
    /// @param qps requests per second of all, the lesser of both sides' by the rates that numbers go by
    /// @param sustainedQps requests per second of all that they have time for
    /// @param ttftMillis that of prefill and the transfer of the cache
    /// @param devices that work, of all kinds
    /// @param handover what a request hands over; absent where that takes no time
    public record Together(
            double qps, double sustainedQps, double ttftMillis, int devices, KvTransfer.@Nullable Handover handover) {
        /// `qps / devices`.
        public double qpsPerDevice() {
            return qps / devices;
        }
    }

    /// What the available devices make of a pair.
    ///
    /// @param idle devices that its instances leave idle; absent where it has no numbers of them
    /// @param most the numbers that serve most; absent when the devices do not hold one of each
    public record Available(
            @Nullable Integer idle, @Nullable Most most) {}

    /// Numbers of instances and what they serve together.
    ///
    /// @param qps requests per second, as they are counted
    /// @param sustainedQps requests per second that they have time for
    /// @param devices that work
    public record Most(InstanceCounts counts, double qps, double sustainedQps, int devices) {}

    /// One of the two kinds of instance.
    ///
    /// @param batchSize requests per data parallel rank
    /// @param concurrency requests of the instance
    /// @param latencyMillis TTFT of prefill, TPOT of decode, rounded to 3 decimals
    /// @param qps requests per second of one instance, by its latency
    /// @param sustainedQps those that the time of its passes suffices for
    /// @param binds what keeps its batch size from being larger; none where it is of no row
    public record Side(
            Candidate candidate,
            long batchSize,
            long concurrency,
            double latencyMillis,
            double qps,
            double sustainedQps,
            Set<BindingLimit> binds) {

        /// Of an instance that has time for its rate.
        Side(Candidate candidate, long batchSize, long concurrency, double latencyMillis, double qps) {
            this(candidate, batchSize, concurrency, latencyMillis, qps, qps, Set.of());
        }

        /// Requests per second that whole numbers of instances go by: the reference's own where its accounting is
        /// asked for, else what the instance has time for.
        public double countedQps() {
            return isReference() ? qps : sustainedQps;
        }

        boolean isReference() {
            return candidate.terms().accounting().isReference();
        }

        Side withBinds(Set<BindingLimit> other) {
            return new Side(candidate, batchSize, concurrency, latencyMillis, qps, sustainedQps, other);
        }

        /// Devices of one instance.
        public int deviceCount() {
            return candidate.layout().deviceCount();
        }

        /// Name of their kind.
        public String device() {
            return candidate.deployment().device().name();
        }
    }

    private static final Comparator<PdRatioRow> HIGHER_RATE_FIRST = Comparator.comparingDouble(
                    (PdRatioRow row) -> -row.balancedQps)
            .thenComparingDouble(row -> -row.decode.qps)
            .thenComparingDouble(row -> -row.prefill.qps)
            .thenComparingDouble(row -> row.prefill.latencyMillis)
            .thenComparingDouble(row -> row.decode.latencyMillis);

    private static final Comparator<PdRatioRow> EARLIER_LABEL_FIRST = Comparator.comparing(
                    (PdRatioRow row) -> row.prefill.candidate.label())
            .thenComparing(row -> row.decode.candidate.label());

    /// Most requests per second first; of equal ones the lower latency, the larger batch, the larger concurrency and
    /// the earlier label, each of decode and prefill in the reference's order.
    static final Comparator<PdRatioRow> BETTER_FIRST = HIGHER_RATE_FIRST
            .thenComparingLong(row -> -row.decode.batchSize)
            .thenComparingLong(row -> -row.prefill.batchSize)
            .thenComparingLong(row -> -row.decode.concurrency)
            .thenComparingLong(row -> -row.prefill.concurrency)
            .thenComparing(EARLIER_LABEL_FIRST);

    /// Of the best pairs of several kinds of device, which the reference compares by neither batch size nor
    /// concurrency: pairs that are alike in all else stay in the order that the devices were asked for in.
    static final Comparator<PdRatioRow> BETTER_DEVICE_FIRST = HIGHER_RATE_FIRST.thenComparing(EARLIER_LABEL_FIRST);

    /// Of pairs in numbers of instances: most requests per second and device first, then most requests per second, the
    /// lower latencies and the earlier labels.
    static final Comparator<PdRatioRow> BETTER_TOGETHER_FIRST = Comparator.comparingDouble(
                    (PdRatioRow row) -> -row.delivery().qpsPerDevice())
            .thenComparingDouble(row -> -row.delivery().qps)
            .thenComparingDouble(row -> row.delivery().ttftMillis)
            .thenComparingDouble(row -> row.decode.latencyMillis)
            .thenComparing(EARLIER_LABEL_FIRST);

    /// What its instances deliver together, where that is known.
    Together delivery() {
        return Objects.requireNonNull(together, "the pair is ranked by itself, not in numbers of instances");
    }

    /// `ratio = decode.qps / prefill.qps`, `balancedQps = min(prefill.qps, decode.qps)`; instances are not counted.
    static PdRatioRow of(Side prefill, Side decode) {
        double ratio = decode.qps / prefill.qps;
        return new PdRatioRow(null, ratio, Math.min(prefill.qps, decode.qps), prefill, decode, null);
    }

    /// Time of a whole answer: `ttft + transfer + decoded * tpot`.
    ///
    /// @param outputs tokens generated per request
    public double requestLatencyMillis(OutputLengths outputs) {
        double ttft = together == null ? prefill.latencyMillis : together.ttftMillis;
        return ttft + WholeAnswers.decoded(outputs) * decode.latencyMillis;
    }

    /// The same of sides that differ in what binds them only.
    PdRatioRow with(Side onePrefill, Side oneDecode) {
        return new PdRatioRow(rank, ratio, balancedQps, onePrefill, oneDecode, instances, together, available);
    }

    /// The same with the instances that the available devices hold, and those that serve most on them.
    PdRatioRow withInstances(int devicesAvailable) {
        PairCounts pair = new PairCounts(
                prefill,
                decode,
                new Kinds(prefill.device(), decode.device()),
                AvailableDevices.ofEach(devicesAvailable));
        InstanceCounts counts = InstanceCounts.of(ratio, devicesAvailable, prefill.deviceCount(), decode.deviceCount())
                .orElse(null);
        Available held = new Available(
                counts == null ? null : pair.idle(counts),
                pair.most().map(pair::served).orElse(null));
        return new PdRatioRow(rank, ratio, balancedQps, prefill, decode, counts, together, held);
    }

    /// The same in so many instances of each side.
    PdRatioRow withInstances(InstanceCounts counts, KvTransfer.@Nullable Handover handover) {
        Together delivered = new Together(
                Math.min(counts.prefill() * prefill.countedQps(), counts.decode() * decode.countedQps()),
                Math.min(counts.prefill() * prefill.sustainedQps, counts.decode() * decode.sustainedQps),
                handover == null ? prefill.latencyMillis : prefill.latencyMillis + handover.millis(),
                counts.prefill() * prefill.deviceCount() + counts.decode() * decode.deviceCount(),
                handover);
        return new PdRatioRow(rank, ratio, balancedQps, prefill, decode, counts, delivered, null);
    }

    PdRatioRow withRank(int place) {
        return new PdRatioRow(place, ratio, balancedQps, prefill, decode, instances, together, available);
    }

    /// The same with what the available devices make of it: the numbers that serve most are named where its own serve
    /// less.
    PdRatioRow withAvailable(Kinds kinds, AvailableDevices devices) {
        PairCounts pair = new PairCounts(prefill, decode, kinds, devices);
        Most most = pair.most()
                .map(pair::served)
                .filter(served -> served.qps > delivery().qps)
                .orElse(null);
        return new PdRatioRow(
                rank,
                ratio,
                balancedQps,
                prefill,
                decode,
                instances,
                together,
                new Available(instances == null ? null : pair.idle(instances), most));
    }
}

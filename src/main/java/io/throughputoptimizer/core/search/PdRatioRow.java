package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.OutputLengths;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A prefill instance type that feeds a decode instance type. Only the latencies are rounded; they come from
/// recorded rows.
///
/// @param rank rank in its table from 1; absent in unranked lists
/// @param ratio `P / D`: prefill instances per decode instance that keep both busy, since balance needs `P *
///     prefill.requests_per_s = D * decode.requests_per_s`. 2.0 means two prefill instances for one decode instance
/// @param balancedRequestsPerS requests per second of one prefill with one decode instance, the lesser of both
///     rates; it ignores their devices, so it is no throughput per device
/// @param instances instance counts on the available devices; absent if they hold none
/// @param together combined throughput of these instances; absent if pairs are ranked by the reference's rules
/// @param available use of the available devices; absent in unranked lists
public record PdRatioRow(
        @Nullable Integer rank,
        double ratio,
        double balancedRequestsPerS,
        Side prefill,
        Side decode,
        @Nullable InstanceCounts instances,
        @Nullable Together together,
        @Nullable Available available) {

    /// Combined throughput of counted instances.
    ///
    /// @param requestsPerS requests per second of all instances, the lesser of both sides, by the rates
    ///     that counts use
    /// @param sustainedRequestsPerS requests per second that the instances can sustain
    /// @param ttftMillis TTFT of prefill including the KV transfer
    /// @param devices busy devices, of all kinds
    /// @param handover KV transfer of a request; absent if it takes no time
    public record Together(
            double requestsPerS,
            double sustainedRequestsPerS,
            double ttftMillis,
            int devices,
            KvTransferLink.@Nullable Handover handover) {
        /// Returns `requests_per_s / devices`.
        public double requestsPerSPerDevice() {
            return requestsPerS / devices;
        }
    }

    /// Use of the available devices by a pair.
    ///
    /// @param idle devices that its instances leave idle; absent without instance counts
    /// @param most instance counts with the highest throughput; absent if the devices do not hold one of each
    public record Available(
            @Nullable Integer idle, @Nullable Most most) {}

    /// Instance counts and their combined throughput.
    ///
    /// @param requestsPerS requests per second by the counted rates
    /// @param sustainedRequestsPerS requests per second that the instances can sustain
    /// @param devices busy devices
    public record Most(InstanceCounts counts, double requestsPerS, double sustainedRequestsPerS, int devices) {}

    /// One side of a pair: a prefill or decode instance.
    ///
    /// @param batchSize requests per data parallel rank
    /// @param concurrency requests of the instance
    /// @param latencyMillis TTFT of prefill, TPOT of decode, rounded to 3 decimals
    /// @param requestsPerS requests per second of one instance, by its latency
    /// @param sustainedRequestsPerS requests per second that its pass times sustain
    /// @param binds limiting constraints of its batch size; empty if it belongs to no row
    public record Side(
            Candidate candidate,
            long batchSize,
            long concurrency,
            double latencyMillis,
            double requestsPerS,
            double sustainedRequestsPerS,
            Set<BindingLimit> binds) {

        /// Creates a side whose instance sustains its rate.
        Side(Candidate candidate, long batchSize, long concurrency, double latencyMillis, double requestsPerS) {
            this(candidate, batchSize, concurrency, latencyMillis, requestsPerS, requestsPerS, Set.of());
        }

        /// Returns the requests per second that instance counts use: the reference's own rate under its
        /// accounting, else the sustained rate.
        public double countedRequestsPerS() {
            return isReference() ? requestsPerS : sustainedRequestsPerS;
        }

        boolean isReference() {
            return candidate.terms().accounting().isReference();
        }

        Side withBinds(Set<BindingLimit> other) {
            return new Side(
                    candidate, batchSize, concurrency, latencyMillis, requestsPerS, sustainedRequestsPerS, other);
        }

        /// Returns the devices of one instance.
        public int deviceCount() {
            return candidate.layout().deviceCount();
        }

        /// Returns the name of the kind of device.
        public String device() {
            return candidate.deployment().device().name();
        }
    }

    private static final Comparator<PdRatioRow> HIGHER_RATE_FIRST = Comparator.comparingDouble(
                    (PdRatioRow row) -> -row.balancedRequestsPerS)
            .thenComparingDouble(row -> -row.decode.requestsPerS)
            .thenComparingDouble(row -> -row.prefill.requestsPerS)
            .thenComparingDouble(row -> row.prefill.latencyMillis)
            .thenComparingDouble(row -> row.decode.latencyMillis);

    private static final Comparator<PdRatioRow> EARLIER_LABEL_FIRST = Comparator.comparing(
                    (PdRatioRow row) -> row.prefill.candidate.label())
            .thenComparing(row -> row.decode.candidate.label());

    /// Order by requests per second; of equal pairs the lower latency, the larger batch, the larger concurrency
    /// and the earlier label, each of decode and prefill in the reference's order.
    static final Comparator<PdRatioRow> BETTER_FIRST = HIGHER_RATE_FIRST
            .thenComparingLong(row -> -row.decode.batchSize)
            .thenComparingLong(row -> -row.prefill.batchSize)
            .thenComparingLong(row -> -row.decode.concurrency)
            .thenComparingLong(row -> -row.prefill.concurrency)
            .thenComparing(EARLIER_LABEL_FIRST);

    /// Order of the best pairs of several kinds of device. The reference compares neither batch size nor
    /// concurrency here: equal pairs stay in the requested order of devices.
    static final Comparator<PdRatioRow> BETTER_DEVICE_FIRST = HIGHER_RATE_FIRST.thenComparing(EARLIER_LABEL_FIRST);

    /// Order of counted pairs: most requests per second and device first, then most requests per second, the
    /// lower latencies and the earlier labels.
    static final Comparator<PdRatioRow> BETTER_TOGETHER_FIRST = Comparator.comparingDouble(
                    (PdRatioRow row) -> -row.delivery().requestsPerSPerDevice())
            .thenComparingDouble(row -> -row.delivery().requestsPerS)
            .thenComparingDouble(row -> row.delivery().ttftMillis)
            .thenComparingDouble(row -> row.decode.latencyMillis)
            .thenComparing(EARLIER_LABEL_FIRST);

    /// Returns the combined throughput; requires counted instances.
    Together delivery() {
        return Objects.requireNonNull(together, "the pair is ranked by itself, not in numbers of instances");
    }

    /// Returns the pair with `ratio = decode.requests_per_s / prefill.requests_per_s` and `balancedQps =
    /// min(prefill.requests_per_s,
    /// decode.requests_per_s)`, without instance counts.
    static PdRatioRow of(Side prefill, Side decode) {
        double ratio = decode.requestsPerS / prefill.requestsPerS;
        return new PdRatioRow(
                null, ratio, Math.min(prefill.requestsPerS, decode.requestsPerS), prefill, decode, null, null, null);
    }

    /// Returns the end-to-end latency: `ttft + transfer + decoded * tpot`.
    ///
    /// @param outputs output lengths of requests
    public double requestLatencyMillis(OutputLengths outputs) {
        double ttft = together == null ? prefill.latencyMillis : together.ttftMillis;
        return ttft + EndToEndLatencyLimit.decoded(outputs) * decode.latencyMillis;
    }

    /// Returns a copy with sides that differ in their limiting constraints only.
    PdRatioRow with(Side onePrefill, Side oneDecode) {
        return new PdRatioRow(rank, ratio, balancedRequestsPerS, onePrefill, oneDecode, instances, together, available);
    }

    /// Returns a copy with the instances that the available devices hold, and the counts with the highest
    /// throughput on them.
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
        return new PdRatioRow(rank, ratio, balancedRequestsPerS, prefill, decode, counts, together, held);
    }

    /// Returns a copy in counted instances of each side.
    PdRatioRow withInstances(InstanceCounts counts, KvTransferLink.@Nullable Handover handover) {
        Together delivered = new Together(
                Math.min(
                        counts.prefill() * prefill.countedRequestsPerS(),
                        counts.decode() * decode.countedRequestsPerS()),
                Math.min(
                        counts.prefill() * prefill.sustainedRequestsPerS,
                        counts.decode() * decode.sustainedRequestsPerS),
                handover == null ? prefill.latencyMillis : prefill.latencyMillis + handover.millis(),
                counts.prefill() * prefill.deviceCount() + counts.decode() * decode.deviceCount(),
                handover);
        return new PdRatioRow(rank, ratio, balancedRequestsPerS, prefill, decode, counts, delivered, null);
    }

    PdRatioRow withRank(int place) {
        return new PdRatioRow(place, ratio, balancedRequestsPerS, prefill, decode, instances, together, available);
    }

    /// Returns a copy with the use of the available devices; names the counts with the highest throughput if
    /// its own serve less.
    PdRatioRow withAvailable(Kinds kinds, AvailableDevices devices) {
        PairCounts pair = new PairCounts(prefill, decode, kinds, devices);
        Most most = pair.most()
                .map(pair::served)
                .filter(served -> served.requestsPerS > delivery().requestsPerS)
                .orElse(null);
        return new PdRatioRow(
                rank,
                ratio,
                balancedRequestsPerS,
                prefill,
                decode,
                instances,
                together,
                new Available(instances == null ? null : pair.idle(instances), most));
    }
}

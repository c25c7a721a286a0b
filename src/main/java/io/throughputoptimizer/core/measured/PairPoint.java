package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.KvTransfer.Handover;
import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.DisaggregatedFigures;
import io.throughputoptimizer.core.steady.DisaggregatedLaw;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances, at one concurrency.
///
/// @param kinds of device
/// @param prefill one instance that works on prompts
/// @param decode one instance that generates
/// @param handover what a request hands over; absent where that takes no time
/// @param figures of all instances
/// @param captured the same on an Ascend device whose launches are all for free; absent on other devices
public record PairPoint(
        Kinds kinds,
        SiliconDeployment prefill,
        SiliconDeployment decode,
        InstanceCounts counts,
        @Nullable Handover handover,
        DisaggregatedFigures figures,
        @Nullable DisaggregatedFigures captured,
        Bands bands)
        implements ServedPoint {

    /// Prefill instances to decode instances.
    public double ratio() {
        return (double) counts.prefill() / counts.decode();
    }

    @Override
    public Arrangement arrangement() {
        return new Arrangement.Pair(prefill.layout(), decode.layout(), counts);
    }

    /// By the names of both kinds of device.
    @Override
    public Delivered delivered(String device) {
        double rate = tokensPerSecond().value();
        Map<String, Double> spent = new HashMap<>();
        spent.merge(kinds.prefill(), counts.prefill() * prefill.layout().deviceCount() / rate, Double::sum);
        spent.merge(kinds.decode(), counts.decode() * decode.layout().deviceCount() / rate, Double::sum);
        return kinds.shareDevices()
                ? ServedPoint.super.delivered(device)
                : new Delivered(
                        spent,
                        rate,
                        tokensPerSecondPerDevice().value(),
                        tpotMillis().value());
    }

    /// Requests per second and device that works.
    public Uncertain requestsPerSecondPerDevice() {
        return uncertain().rate(one -> one.requestsPerSecond() / devicesUsed());
    }

    /// Something in proportion to the requests per second of all instances.
    public Uncertain rate(double factor) {
        return uncertain().rate(one -> one.requestsPerSecond() * factor);
    }

    @Override
    public int devices() {
        return devicesUsed();
    }

    public int devicesUsed() {
        return counts.prefill() * prefill.layout().deviceCount()
                + counts.decode() * decode.layout().deviceCount();
    }

    /// Requests that clients have outstanding, over all instances.
    public long concurrency() {
        return (long) figures.concurrency();
    }

    @Override
    public Uncertain ttftMillis() {
        return uncertain().ttft();
    }

    @Override
    public Uncertain ttftBurstMillis() {
        return uncertain().ttftBurst();
    }

    @Override
    public Uncertain ttftSettledMillis() {
        return uncertain().ttftSettled();
    }

    @Override
    public Uncertain tpotMillis() {
        return uncertain().tpot();
    }

    @Override
    public Uncertain decodeMillis() {
        return uncertain().of(DisaggregatedFigures::decodeMillis, bands::ofTpot);
    }

    @Override
    public Uncertain prefillMillis() {
        return uncertain().of(DisaggregatedFigures::prefillMillis, bands::ofTtft);
    }

    @Override
    public Uncertain tokensPerSecond() {
        return uncertain().rate(DisaggregatedFigures::outputTokensPerSecond);
    }

    @Override
    public Uncertain tokensPerSecondPerDevice() {
        return uncertain().rate(one -> one.outputTokensPerSecond() / devicesUsed());
    }

    @Override
    public Uncertain requestsPerSecond() {
        return uncertain().rate(DisaggregatedFigures::requestsPerSecond);
    }

    /// Requests per second that the time of the steps of one prefill instance suffices for: `1000 / P` of each rank.
    public double prefillSustainedQps() {
        return prefill.layout().dp() * 1000 / figures.prefillMillis();
    }

    /// Requests per second that the time of the steps of one decode instance suffices for: `1000 b / (osl D)` of each
    /// rank.
    public double decodeSustainedQps() {
        return decode.layout().dp() * 1000 * running() / (figures.outputTokens() * figures.decodeMillis());
    }

    /// Those of all instances: the lesser of both sides.
    public double sustainedQps() {
        return Math.min(counts.prefill() * prefillSustainedQps(), counts.decode() * decodeSustainedQps());
    }

    /// `b = max(B / R, 1)` of `R` decode ranks.
    @Override
    public double running() {
        return DisaggregatedLaw.running(
                figures.concurrency(), counts.decode() * decode.layout().dp());
    }

    private UncertainFigures<DisaggregatedFigures> uncertain() {
        return new UncertainFigures<>(figures, captured, bands);
    }
}

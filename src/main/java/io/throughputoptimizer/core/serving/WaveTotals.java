package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sums over the passes ("waves") that one phase runs one after another.
final class WaveTotals {
    private double millis;
    private long waves;
    private BoundShares sharesSum = BoundShares.ZERO;
    private @Nullable MemoryFootprint leastFree;

    /// @param startMillis time that passes before the first wave
    WaveTotals(double startMillis) {
        this.millis = startMillis;
    }

    /// Adds `count` equal waves.
    void add(ForwardEstimate wave, long count) {
        millis = RepeatedSum.add(millis, wave.latencyMillis(), count);
        if (leastFree == null || wave.memory().availableBytes() < leastFree.availableBytes()) {
            leastFree = wave.memory();
        }
        if (wave.breakdown().totalSeconds() > 0) {
            waves += count;
            addShares(wave.breakdown().shares(), count);
        }
    }

    /// Start time and all waves.
    double millis() {
        return millis;
    }

    /// Mean of the waves' own shares; waves without any time have none.
    BoundShares meanShares() {
        return waves == 0
                ? BoundShares.ZERO
                : new BoundShares(
                        sharesSum.memory() / waves,
                        sharesSum.communication() / waves,
                        sharesSum.matrix() / waves,
                        sharesSum.general() / waves);
    }

    /// Memory of the wave that leaves least.
    MemoryFootprint memory() {
        return Objects.requireNonNull(leastFree, "no wave was added");
    }

    private void addShares(BoundShares shares, long count) {
        sharesSum = new BoundShares(
                sharesSum.memory() + shares.memory() * count,
                sharesSum.communication() + shares.communication() * count,
                sharesSum.matrix() + shares.matrix() * count,
                sharesSum.general() + shares.general() * count);
    }
}

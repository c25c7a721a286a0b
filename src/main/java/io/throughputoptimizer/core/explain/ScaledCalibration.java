package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.silicon.calibration.Calibration;
import io.throughputoptimizer.core.silicon.calibration.MatrixPeak;
import io.throughputoptimizer.core.silicon.calibration.Peaks;
import java.util.EnumMap;
import java.util.Map;

/// A calibrated device with one figure multiplied by `factor`. Efficiencies are relative to the peaks and
/// unchanged, as are the bases of prices.
record ScaledCalibration(Calibration calibration, double factor) {

    /// @throws IllegalArgumentException for link latencies, since measured collectives include them
    Calibration of(DeviceFigure figure) {
        Peaks now = calibration.peaks();
        return switch (figure) {
            case MEMORY_SIZE ->
                calibration.with(new Peaks(
                        now.matrixOperationsPerSecond(),
                        now.memoryBytes() * factor,
                        now.memoryBytesPerSecond(),
                        now.links()));
            case MEMORY_BANDWIDTH ->
                calibration.with(new Peaks(
                        now.matrixOperationsPerSecond(),
                        now.memoryBytes(),
                        now.memoryBytesPerSecond() * factor,
                        now.links()));
            case MATRIX_RATE ->
                calibration.with(new Peaks(
                        scaled(now.matrixOperationsPerSecond()),
                        now.memoryBytes(),
                        now.memoryBytesPerSecond(),
                        now.links()));
            case LINK_BANDWIDTH ->
                calibration.with(new Peaks(
                        now.matrixOperationsPerSecond(),
                        now.memoryBytes(),
                        now.memoryBytesPerSecond(),
                        scaled(now.links())));
            case STATIC_COSTS -> calibration.withLaunches(factor);
            case LINK_LATENCY -> throw new IllegalArgumentException("measured collectives have latencies of their own");
        };
    }

    private Map<MatrixPeak, Double> scaled(Map<MatrixPeak, Double> rates) {
        Map<MatrixPeak, Double> scaled = new EnumMap<>(MatrixPeak.class);
        rates.forEach((peak, rate) -> scaled.put(peak, rate * factor));
        return scaled;
    }

    private Peaks.Links scaled(Peaks.Links links) {
        return new Peaks.Links(
                links.bytesPerSecond() * factor,
                links.domainDevices(),
                links.interNodeBytesPerSecond() * factor,
                links.inSwitchReduction());
    }
}

package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PhaseResponse.PointResponse;
import io.throughputoptimizer.api.result.PhaseResponse.PointResponse.PairedResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.api.result.figure.CurveBands;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One point of a curve, whatever the curve is drawn over (results, curves).
///
/// @param label of the layout
/// @param latencyMs TTFT of prefill, else TPOT
/// @param e2eLatencyMs of a whole answer; absent without a limit on it
/// @param tokensPerS output tokens, in prefill input tokens
/// @param bands where the figures may lie; cost model `calibrated` only
record Probe(
        String label,
        long batchSize,
        long concurrency,
        double latencyMs,
        @Nullable Double e2eLatencyMs,
        double tokensPerS,
        boolean withinSlo,
        @Nullable CurveBands bands) {

    /// By concurrency, then batch size, then throughput.
    static final Comparator<Probe> ORDER = Comparator.comparingLong(Probe::concurrency)
            .thenComparingLong(Probe::batchSize)
            .thenComparingDouble(Probe::tokensPerS);

    /// Returns the probe of a point of a phase; none without the latency of the phase.
    static Stream<Probe> of(PhaseName phase, PointResponse point) {
        Double latency = latency(phase, point.ttftMs(), point.tpotMs());
        return latency == null ? Stream.empty() : Stream.of(of(point, latency, point.tokensPerS()));
    }

    /// Returns the probe of a decode point of a P:D ratio search. Throughput follows from the rounded TPOT,
    /// as in the ratio: `concurrency / tpot * 1000` for positive ones. With cost model `calibrated` a point
    /// covers both phases and has its own throughput.
    static Stream<Probe> ofPdRatio(PointResponse decode) {
        if (decode.paired() != null) {
            return of(PhaseName.DECODE, decode);
        }
        Double tpot = decode.tpotMs();
        return tpot == null || tpot <= 0
                ? Stream.empty()
                : Stream.of(of(decode, tpot, perSecond(decode.concurrency(), tpot)));
    }

    /// Returns the probe of a row of a phase; none without the latency of the phase.
    static Stream<Probe> of(PhaseName phase, RowResponse row) {
        Double latency = latency(phase, row.ttftMs(), row.tpotMs());
        return latency == null
                ? Stream.empty()
                : Stream.of(new Probe(
                        row.parallel().label(),
                        row.batchSize(),
                        row.concurrency(),
                        latency,
                        latencyMs(row.requestLatency()),
                        row.tokensPerS(),
                        true,
                        row.bands()));
    }

    /// Returns the probe of the decode instances of a ratio; with cost model `calibrated` of both phases.
    static Stream<Probe> of(PdRatioRowResponse row) {
        SteadyPairResponse load = row.load();
        return load == null || row.steady() == null ? decodeSide(row) : bothSides(row, load);
    }

    private static Stream<Probe> decodeSide(PdRatioRowResponse row) {
        Long batch = row.decodeBatchSize();
        Long concurrency = row.decodeConcurrency();
        SteadyPairResponse load = row.load();
        Double tpot = load == null ? null : load.tpotMs();
        return batch == null || concurrency == null || tpot == null
                ? Stream.empty()
                : Stream.of(new Probe(
                        row.decodeParallel().label(),
                        batch,
                        concurrency,
                        tpot,
                        null,
                        perSecond(concurrency, tpot),
                        true,
                        null));
    }

    private static Stream<Probe> bothSides(PdRatioRowResponse row, SteadyPairResponse load) {
        SteadyRowResponse steady = requireNonNull(row.steady(), "a pair of measured devices has a steady state");
        return Stream.of(new Probe(
                new PairedResponse(
                                row.prefillParallel(),
                                requireNonNull(row.prefillInstances()),
                                requireNonNull(row.decodeInstances()))
                        .label(row.decodeParallel()),
                (long) Math.ceil(requireNonNull(steady.running())),
                requireNonNull(load.concurrency()),
                requireNonNull(load.tpotMs()),
                latencyMs(load.requestLatency()),
                requireNonNull(load.tokensPerS()),
                true,
                row.bands()));
    }

    private static Probe of(PointResponse point, double latencyMs, double tokensPerS) {
        return new Probe(
                point.label(),
                point.batchSize(),
                point.concurrency(),
                latencyMs,
                point.e2eLatencyMs(),
                tokensPerS,
                point.withinSlo(),
                point.bands());
    }

    private static @Nullable Double latencyMs(@Nullable RequestLatencyResponse latency) {
        return latency == null ? null : latency.e2eLatencyMs();
    }

    private static double perSecond(long concurrency, double tpotMs) {
        return concurrency / tpotMs * 1000;
    }

    private static @Nullable Double latency(PhaseName phase, @Nullable Double ttftMs, @Nullable Double tpotMs) {
        return switch (phase) {
            case PREFILL -> ttftMs;
            case DECODE, AGGREGATION -> tpotMs;
        };
    }
}

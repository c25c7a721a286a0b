package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.api.result.figure.VariantResponse;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One line of a table of pairs.
///
/// @param device name of the kind of device
/// @param numDecodeDevices devices available for decode, where its kind has another number of its own
record PairLine(String device, int numDevices, @Nullable Integer numDecodeDevices, PdRatioRowResponse row) {

    static List<PairLine> of(DeviceResponse device, PdRatioResponse result) {
        return result.rows().stream()
                .map(row -> new PairLine(device.device(), device.numDevices(), device.numDecodeDevices(), row))
                .toList();
    }

    /// All pairs of some findings.
    static List<PairLine> of(Findings findings) {
        return findings.devices().stream()
                .flatMap(device -> Stream.ofNullable(device.pdRatio()).flatMap(result -> of(device, result).stream()))
                .toList();
    }

    static List<PairLine> of(List<RankedPairResponse> ranked) {
        return ranked.stream()
                .map(one -> new PairLine(one.device(), one.numDevices(), one.numDecodeDevices(), one.pair()))
                .toList();
    }

    /// Returns a figure of all instances together, if known.
    <T> @Nullable T together(Function<SteadyPairResponse, @Nullable T> member) {
        SteadyPairResponse load = row.load();
        return load == null ? null : member.apply(load);
    }

    /// A member of its kinds.
    <T> @Nullable T kinds(Function<PairKindsResponse, @Nullable T> member) {
        PairKindsResponse kinds = row.kinds();
        return kinds == null ? null : member.apply(kinds);
    }

    /// A member of the numbers that serve most, where these are others.
    <T> @Nullable T most(Function<BestFitResponse, @Nullable T> member) {
        return row.available() == null || row.available().most() == null
                ? null
                : member.apply(row.available().most());
    }

    /// Prefill and decode instances of a pair have the same draft tokens and quantization.
    @Nullable
    VariantResponse variant() {
        return row.prefillParallel().variant();
    }

    String instances() {
        return row.prefillInstances() + " : " + row.decodeInstances();
    }
}

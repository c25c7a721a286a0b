package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.report.table.Cell;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One line of a table: a row, or a detail of it, which is one part of its mixed batch.
///
/// @param phase that the row belongs to
/// @param part absent on the row's own line
record Line(
        DeviceResponse device,
        PhaseName phase,
        RowResponse row,
        @Nullable CompositionResponse part) {
    /// The row's own line, then its details.
    static Stream<Line> of(DeviceResponse device, PhaseName phase, RowResponse row) {
        return Stream.concat(
                Stream.of(new Line(device, phase, row, null)),
                requireNonNullElse(row.composition(), List.<CompositionResponse>of()).stream()
                        .map(part -> new Line(device, phase, row, part)));
    }

    /// The row on its own line; details of it deliver nothing by themselves.
    @Nullable
    RowResponse own() {
        return part == null ? row : null;
    }

    /// Returns the additional figures of accounting `steady` on the row's own line.
    @Nullable
    SteadyRowResponse ownSteady() {
        return part == null ? row.steady() : null;
    }

    /// Devices that the row's figures are about: of an instance, or of all replicas where they are counted together.
    long devices() {
        Integer replicas = replicas();
        return (long) row.parallel().numDevices() * (replicas == null ? 1 : replicas);
    }

    /// Equal instances that the row's figures are about; absent where they are about one.
    @Nullable
    Integer replicas() {
        SteadyRowResponse steady = row.steady();
        return steady == null ? null : steady.replicas();
    }

    /// Returns the flags that explain a wider or missing interval.
    @Nullable
    String flags() {
        FigureBandsResponse bands = row.bands();
        return bands == null || bands.flags() == null ? null : String.join(" ", bands.flags());
    }

    Cell inputTokens() {
        return part == null ? Cell.text(row.numInputTokens()) : new Cell.Count(part.numInputTokens());
    }

    /// Returns the output tokens of a phase that decodes.
    @Nullable
    Integer outputTokens() {
        return part == null ? null : part.numOutputTokens();
    }

    /// Halfway through the output, of a part whose requests decode.
    @Nullable
    Long contextTokens() {
        return part == null ? null : part.contextTokens();
    }

    /// Returns whether its requests decode and differ in length.
    boolean isOfDecoding() {
        return outputTokens() != null;
    }

    @Nullable
    Double requestRatio() {
        return part == null ? row.requestRatio() : (Double) part.requestRatio();
    }

    /// Requests over all data parallel ranks, those of the details adding up to the row's.
    @Nullable
    Long samples() {
        return part == null ? row.samples() : (Long) part.samples();
    }
}

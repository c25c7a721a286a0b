package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.BreakdownResponse;
import io.throughputoptimizer.api.result.FigureBandsResponse;
import io.throughputoptimizer.api.result.PhaseName;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.api.result.VariantResponse;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    private static final int RATIO_DECIMALS = 3;
    private static final int LEFT_OUT_DECIMALS = 6;

    /// The row's own line, then its details.
    static Stream<Line> of(DeviceResponse device, PhaseName phase, RowResponse row) {
        return Stream.concat(
                Stream.of(new Line(device, phase, row, null)),
                requireNonNullElse(row.composition(), List.<CompositionResponse>of()).stream()
                        .map(part -> new Line(device, phase, row, part)));
    }

    static Table table(List<Column> columns, Stream<Line> lines) {
        return new Table(
                columns.stream().map(Column::title).toList(),
                lines.map(line -> columns.stream()
                                .map(column -> column.cell().apply(line))
                                .toList())
                        .toList());
    }

    /// @param cell what stands in the column
    record Column(String title, Function<Line, Cell> cell) {}

    Cell rank() {
        return ofRow(Cell.count(row.rank()));
    }

    /// What the row is ranked by.
    Cell objective() {
        return ofRow(Objectives.cell(row.objective()));
    }

    /// What the row delivers or takes; details deliver nothing by themselves.
    Cell figure(Function<RowResponse, @Nullable Double> figure, int decimals) {
        return ofRow(figure(figure.apply(row), decimals));
    }

    /// A figure of cost model `calibrated` with its band.
    Cell banded(Function<FigureBandsResponse, BandedFigure> figure) {
        FigureBandsResponse bands = row.bands();
        return bands == null ? Cell.MISSING : figure.apply(bands).cell();
    }

    /// Devices that the row's figures are about: of an instance, or of all replicas where they are counted together.
    Cell devices() {
        Integer replicas = replicas();
        return new Cell.Count((long) row.parallel().numDevices() * (replicas == null ? 1 : replicas));
    }

    /// Equal instances that the row's figures are about; absent where they are about one.
    @Nullable
    Integer replicas() {
        SteadyRowResponse steady = row.steady();
        return steady == null ? null : steady.replicas();
    }

    /// What the row has of a member that the request gives several values of.
    <T> @Nullable T variant(Function<VariantResponse, @Nullable T> member) {
        VariantResponse variant = row.parallel().variant();
        return variant == null ? null : member.apply(variant);
    }

    /// Why the bands are wider than measured, or none is there.
    Cell flags() {
        FigureBandsResponse bands = row.bands();
        List<String> flags = bands == null ? null : bands.flags();
        return flags == null ? Cell.MISSING : new Cell.Text(String.join(" ", flags));
    }

    /// What to know before relying on the row.
    Cell warnings() {
        return ofRow(WarningLines.cell(row.warnings()));
    }

    Cell inputTokens() {
        String all = row.numInputTokens();
        return part == null ? all == null ? Cell.MISSING : new Cell.Text(all) : new Cell.Count(part.numInputTokens());
    }

    /// Of a part whose requests decode.
    Cell outputTokens() {
        return part == null ? Cell.MISSING : Cell.count(part.numOutputTokens());
    }

    /// Halfway through the output, of a part whose requests decode.
    Cell contextTokens() {
        Long tokens = part == null ? null : part.contextTokens();
        return tokens == null ? Cell.MISSING : new Cell.Count(tokens);
    }

    /// Whether it is of requests that decode, unequal ones.
    boolean isOfDecoding() {
        return part != null && part.numOutputTokens() != null;
    }

    Cell requestRatio() {
        return figure(part == null ? row.requestRatio() : (Double) part.requestRatio(), RATIO_DECIMALS);
    }

    /// Share of all requests whose lengths the mixed batch leaves out.
    Cell leftOutRatio() {
        return figure(RowResponse::leftOutRatio, LEFT_OUT_DECIMALS);
    }

    /// Requests over all data parallel ranks, those of the details adding up to the row's.
    Cell samples() {
        Long samples = part == null ? row.samples() : (Long) part.samples();
        return samples == null ? Cell.MISSING : new Cell.Count(samples);
    }

    Cell flag(boolean flag) {
        return ofRow(new Cell.Text(Boolean.toString(flag)));
    }

    /// Where the time of a phase goes (results, percentage breakdown text).
    Cell breakdown(@Nullable BreakdownResponse percent) {
        if (percent == null) {
            return Cell.MISSING;
        }
        return ofRow(new Cell.Text(Stream.of(
                        share("Mem", percent.memory()),
                        share("Gemm", percent.gemm()),
                        share("Attn", percent.attention()),
                        share("Experts", percent.experts()),
                        share("Comm", percent.communication()),
                        share("Elementwise", percent.elementwise()),
                        share("Cube", percent.computeMma()),
                        share("Vec", percent.computeGp()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" | "))));
    }

    private static Optional<String> share(String name, @Nullable Double percent) {
        return percent == null ? Optional.empty() : Optional.of(name + " " + Decimals.fixed(percent, 2));
    }

    private static Cell figure(@Nullable Double number, int decimals) {
        return number == null ? Cell.MISSING : new Cell.Figure(number, decimals);
    }

    private Cell ofRow(Cell cell) {
        return part == null ? cell : Cell.MISSING;
    }
}

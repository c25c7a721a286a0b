package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.ChartResponse;
import io.throughputoptimizer.api.result.ChartResponse.CurvePointResponse;
import io.throughputoptimizer.api.result.ChartResponse.SeriesResponse;
import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.report.curve.PlotRenderer;
import io.throughputoptimizer.report.table.BandedFigure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/// Writes curves as series or as a plot of characters.
final class CurveMessageConverter extends AbstractHttpMessageConverter<Curves> {

    CurveMessageConverter() {
        super(StandardCharsets.UTF_8, MediaType.APPLICATION_JSON, MediaType.TEXT_PLAIN);
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == Curves.class;
    }

    @Override
    protected boolean canRead(@Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Curves readInternal(Class<? extends Curves> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("curves are only written");
    }

    @Override
    protected void writeInternal(Curves curves, HttpOutputMessage message) throws IOException {
        MediaType type = message.getHeaders().getContentType();
        message.getBody().write(text(curves, type).getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Curves curves, @Nullable MediaType type) {
        return MediaType.TEXT_PLAIN.isCompatibleWith(type)
                ? PlotRenderer.render(curves)
                : WireFormat.write(curves.charts().stream()
                        .map(CurveMessageConverter::response)
                        .toList());
    }

    private static ChartResponse response(Chart chart) {
        return new ChartResponse(
                chart.title(),
                chart.x().label(),
                chart.y().label(),
                chart.series().stream().map(CurveMessageConverter::response).toList());
    }

    private static SeriesResponse response(Chart.Series series) {
        return new SeriesResponse(
                series.label(),
                series.points().stream().map(CurveMessageConverter::response).toList());
    }

    private static CurvePointResponse response(Chart.Point point) {
        Chart.Spread spread = point.spread();
        BandedFigure x = spread == null ? null : spread.x();
        BandedFigure y = spread == null ? null : spread.y();
        return new CurvePointResponse(
                point.x(),
                point.y(),
                point.batchSize(),
                point.concurrency(),
                point.withinSlo(),
                x == null ? null : x.band(),
                x == null ? null : x.range(),
                y == null ? null : y.band(),
                y == null ? null : y.range(),
                (y != null && y.band() == null) ? true : null);
    }
}

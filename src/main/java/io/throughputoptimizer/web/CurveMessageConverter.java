package io.throughputoptimizer.web;

import io.throughputoptimizer.api.ChartResponse;
import io.throughputoptimizer.api.ChartResponse.CurvePointResponse;
import io.throughputoptimizer.api.ChartResponse.SeriesResponse;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.CurveFormat;
import io.throughputoptimizer.report.Curves;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/// Writes curves as series or as a drawing.
final class CurveMessageConverter extends AbstractHttpMessageConverter<Curves> {
    static final String SVG_VALUE = "image/svg+xml";

    private static final MediaType SVG = MediaType.parseMediaType(SVG_VALUE);

    CurveMessageConverter() {
        super(StandardCharsets.UTF_8, MediaType.APPLICATION_JSON, SVG, MediaType.TEXT_PLAIN);
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
        message.getBody()
                .write(text(curves, message.getHeaders().getContentType()).getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Curves curves, @Nullable MediaType type) {
        if (SVG.isCompatibleWith(type)) {
            return CurveFormat.SVG.render(curves);
        }
        if (MediaType.TEXT_PLAIN.isCompatibleWith(type)) {
            return CurveFormat.TEXT.render(curves);
        }
        return WireFormat.write(
                curves.charts().stream().map(CurveMessageConverter::response).toList());
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
                series.points().stream()
                        .map(point -> new CurvePointResponse(
                                point.x(), point.y(), point.batchSize(), point.concurrency(), point.withinSlo()))
                        .toList());
    }
}

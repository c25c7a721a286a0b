package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Curves;
import java.util.List;

/// Charts as one SVG picture, one below the other (results, curves).
///
/// Shapes carry the colours of the light theme as attributes and classes for the dark one, so that a page whose
/// policy forbids style sheets still shows a readable picture. Nothing outside the picture is referred to.
final class SvgRenderer implements CurveRenderer {
    private static final int NOTE_HEIGHT = 60;

    @Override
    public String render(Curves curves) {
        return curves.charts().isEmpty() ? note(curves.note()) : charts(curves.charts());
    }

    private static String charts(List<Chart> charts) {
        SvgMarkup content = new SvgMarkup();
        int height = 0;
        for (Chart chart : charts) {
            SvgChart drawn = new SvgChart(chart, height);
            drawn.draw(content);
            height += drawn.height();
        }
        String titles = String.join("; ", charts.stream().map(Chart::title).toList());
        return document(titles, height, content);
    }

    private static String note(String note) {
        SvgMarkup content = new SvgMarkup();
        content.addText(20, 36, "start", note);
        return document(note, NOTE_HEIGHT, content);
    }

    private static String document(String title, int height, SvgMarkup content) {
        SvgMarkup svg = new SvgMarkup();
        svg.add(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %s %s' width='%s' height='%s' role='img'"
                        + " font-family='system-ui, sans-serif' font-size='13'>",
                SvgChart.WIDTH, height, SvgChart.WIDTH, height);
        svg.add("<title>%s</title>", title);
        svg.add("<style>%s</style>", SvgTheme.darkStyles());
        svg.add("<rect class='surface' fill='%s' width='100%%' height='100%%'/>", SvgTheme.LIGHT_SURFACE);
        svg.append(content);
        svg.add("</svg>");
        return svg.toString();
    }
}

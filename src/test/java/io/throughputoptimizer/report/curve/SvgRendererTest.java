package io.throughputoptimizer.report.curve;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import io.throughputoptimizer.report.CurveFixture;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.report.SampleFindings;
import java.io.IOException;
import java.io.StringReader;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class SvgRendererTest {
    private static final double LINE_CONTRAST = 3;
    private static final double TEXT_CONTRAST = 4.5;

    @Test
    void axesHaveNamesUnitsAndTicks() {
        assertThat(texts(curves()))
                .contains("Concurrency", "TPOT (ms)", "Throughput (token/s)")
                .contains("Aggregation: throughput vs concurrency", "Aggregation: throughput vs TPOT")
                .contains("200", "400", "2000", "4000");
    }

    @Test
    void everyLayoutHasALineMarkersAndALegendEntry() {
        Document svg = curves();

        assertThat(elements(svg, "polyline")).hasSize(2 * 3);
        assertThat(markers(svg)).hasSize(2 * (3 * 8 + 3));
        assertThat(texts(svg)).contains("TP=2 | PP=1 | DP=4", "TP=4 | PP=1 | DP=2", "TP=8 | PP=1 | DP=1");
    }

    @Test
    void theLimitIsDrawnOverLatencyOnly() {
        Document svg = curves();

        assertThat(withClass(svg, "limit")).hasSize(1);
        assertThat(texts(svg)).containsOnlyOnce("limit: TPOT 50 ms");
    }

    @Test
    void aLimitFarFromThePointsIsNamedAndNotDrawn() {
        Series series = new Series("layout", List.of(new Point(10, 1, 1, 1, true), new Point(11, 2, 2, 2, true)));

        Document svg = parse(CurveFormat.SVG.render(new Curves(
                List.of(new Chart("t", new Axis("TPOT", "ms"), new Axis("y", null), 60.0, null, List.of(series))),
                "")));

        assertThat(withClass(svg, "limit")).isEmpty();
        assertThat(texts(svg)).contains("limit: TPOT 60 ms (outside the chart)");
    }

    @Test
    void theBestPointIsRingedAndNamed() {
        Document svg = curves();

        assertThat(withClass(svg, "best")).hasSize(2);
        assertThat(texts(svg))
                .contains(
                        "Best: 4444.44 token/s at concurrency 200, batch 200 (TP=8 | PP=1 | DP=1)",
                        "Best: 4444.44 token/s at TPOT 45 ms, batch 200 (TP=8 | PP=1 | DP=1)");
    }

    @Test
    void pointsThatBreakALimitAreHollowAndSaySo() {
        Document svg = curves();

        List<Element> hollow = withClass(svg, "surface").stream()
                .filter(element -> element.getTagName().equals("path"))
                .toList();
        long breaking = Curves.of(CurveFixture.findings()).charts().stream()
                .flatMap(Chart::points)
                .filter(point -> !point.withinSlo())
                .count();
        assertThat(hollow).hasSize((int) breaking).isNotEmpty();
        assertThat(hollow)
                .allSatisfy(marker -> assertThat(marker.getTextContent()).contains(", breaks a limit"));
        assertThat(texts(svg)).contains("Hollow markers break a limit");
    }

    @Test
    void aMarkerTellsItsFigures() {
        assertThat(elements(curves(), "title").stream().map(title -> title.getTextContent()))
                .contains("TP=8 | PP=1 | DP=1: " + Decimals.shortest(200 / 45.0 * 1000)
                        + " token/s, TPOT 45 ms, batch 200");
    }

    @Test
    void everythingLiesInsideThePicture() {
        Document svg = curves();
        double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));

        assertThat(elements(svg, "line")).allSatisfy(line -> {
            assertThat(Double.parseDouble(line.getAttribute("x2"))).isBetween(0.0, (double) SvgChart.WIDTH);
            assertThat(Double.parseDouble(line.getAttribute("y2"))).isBetween(0.0, height);
        });
    }

    @Test
    void namesCannotBreakOutOfTheMarkup() {
        String name = "<script>alert('&\"')</script>]]>\u0000\u001b\ud800";
        Series series = new Series(name, List.of(new Point(1, 1, 1, 1, true)));
        Chart chart = new Chart(name, new Axis(name, name), new Axis(name, null), 1.0, null, List.of(series));

        String text = CurveFormat.SVG.render(new Curves(List.of(chart), ""));

        assertThat(text).doesNotContain("<script", "\u0000", "\u001b", "\ud800");
        assertThat(texts(parse(text))).contains("<script>alert('&\"')</script>]]>");
    }

    @Test
    void aPictureRefersToNothingOutside() {
        assertThat(CurveFormat.SVG.render(Curves.of(CurveFixture.findings())))
                .doesNotContain("href", "url(", "@import", "<script", " style=")
                .containsOnlyOnce("http");
    }

    @Test
    void darkSurroundingsHaveAColourForEveryClass() {
        String text = CurveFormat.SVG.render(Curves.of(CurveFixture.findings()));
        Document svg = parse(text);

        String styles = elements(svg, "style").getFirst().getTextContent();
        assertThat(styles).startsWith("@media (prefers-color-scheme: dark) {");
        List<Element> all = elements(svg, "*");
        assertThat(all.stream()
                        .map(element -> element.getAttribute("class"))
                        .flatMap(classes -> Stream.of(classes.split(" ")))
                        .filter(name -> !name.isEmpty())
                        .distinct())
                .allSatisfy(name -> assertThat(styles).contains("." + name));
    }

    @Test
    void coloursAreReadableOnTheirSurface() {
        assertThat(contrast(SvgTheme.LIGHT_INK, SvgTheme.LIGHT_SURFACE)).isGreaterThan(TEXT_CONTRAST);
        assertThat(contrast(SvgTheme.DARK_INK, SvgTheme.DARK_SURFACE)).isGreaterThan(TEXT_CONTRAST);
        assertThat(contrast(SvgTheme.LIGHT_LIMIT, SvgTheme.LIGHT_SURFACE)).isGreaterThan(TEXT_CONTRAST);
        assertThat(contrast(SvgTheme.DARK_LIMIT, SvgTheme.DARK_SURFACE)).isGreaterThan(TEXT_CONTRAST);
        assertThat(SvgTheme.LIGHT_SERIES)
                .allSatisfy(colour ->
                        assertThat(contrast(colour, SvgTheme.LIGHT_SURFACE)).isGreaterThan(LINE_CONTRAST));
        assertThat(SvgTheme.DARK_SERIES)
                .allSatisfy(colour ->
                        assertThat(contrast(colour, SvgTheme.DARK_SURFACE)).isGreaterThan(LINE_CONTRAST))
                .hasSameSizeAs(SvgTheme.LIGHT_SERIES);
    }

    @Test
    void manySeriesHaveDifferentMarkersAndAllStandInTheLegend() {
        List<Series> series = IntStream.range(0, 40)
                .mapToObj(i -> new Series("layout " + i, List.of(new Point(i, i, 1, 1, true))))
                .toList();
        Chart chart = new Chart("t", new Axis("x", null), new Axis("y", null), null, null, series);

        Document svg = parse(CurveFormat.SVG.render(new Curves(List.of(chart), "")));

        assertThat(texts(svg)).contains("layout 0", "layout 39");
        assertThat(markers(svg).stream()
                        .map(path -> path.getAttribute("d") + path.getAttribute("class"))
                        .distinct())
                .hasSize(40);
    }

    @Test
    void withoutPointsTheChartSaysWhy() {
        assertThat(texts(parse(CurveFormat.SVG.render(Curves.of(
                        SampleFindings.points(PhaseName.DECODE, SampleFindings.limits(null, null), List.of()))))))
                .contains("Decode: throughput vs TPOT", PlotRenderer.NOTHING_TO_DRAW);
        assertThat(texts(parse(CurveFormat.SVG.render(Curves.of(SampleFindings.comparison())))))
                .containsExactly("Curves are drawn for one kind of device; here are 3.");
    }

    private static Document curves() {
        return parse(CurveFormat.SVG.render(Curves.of(CurveFixture.findings())));
    }

    private static Document parse(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new AssertionError("not well-formed: " + text, e);
        }
    }

    private static List<String> texts(Document svg) {
        return elements(svg, "text").stream().map(Element::getTextContent).toList();
    }

    private static List<Element> withClass(Document svg, String name) {
        return elements(svg, "*").stream()
                .filter(element ->
                        List.of(element.getAttribute("class").split(" ")).contains(name))
                .toList();
    }

    private static List<Element> markers(Document svg) {
        return elements(svg, "path").stream()
                .filter(path -> path.getAttribute("class").startsWith("series-"))
                .toList();
    }

    private static List<Element> elements(Document svg, String tag) {
        NodeList nodes = svg.getElementsByTagName(tag);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .map(Element.class::cast)
                .toList();
    }

    /// Contrast ratio of two colours (WCAG 2): `(L1 + 0.05) / (L2 + 0.05)`, L1 being the lighter one's luminance.
    private static double contrast(String one, String other) {
        double first = luminance(one);
        double second = luminance(other);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(String colour) {
        byte[] rgb = HexFormat.of().parseHex(colour.substring(1));
        return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
    }

    private static double linear(byte channel) {
        double share = Byte.toUnsignedInt(channel) / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}

package io.throughputoptimizer.report.curve;

/// The marker of one series. Colours and shapes repeat after different numbers of series, so that they do not rely
/// on colour alone and stay apart for long.
///
/// @param series place of the series in its chart
record SvgMarker(int series) {
    private static final String CIRCLE = "M -4 0 A 4 4 0 1 0 4 0 A 4 4 0 1 0 -4 0 Z";
    private static final String SQUARE = "M -4 -4 H 4 V 4 H -4 Z";
    private static final String TRIANGLE = "M 0 -4 L 4 4 H -4 Z";
    private static final String DIAMOND = "M 0 -6 L 6 0 L 0 6 L -6 0 Z";
    private static final String FALLING_TRIANGLE = "M 0 4 L 4 -4 H -4 Z";
    private static final String[] SHAPES = {CIRCLE, SQUARE, TRIANGLE, DIAMOND, FALLING_TRIANGLE};

    int colour() {
        return SvgTheme.colour(series);
    }

    String lightColour() {
        return SvgTheme.LIGHT_SERIES.get(colour());
    }

    /// @param full whether it is filled
    /// @param words what it stands for
    void draw(SvgMarkup svg, double x, double y, boolean full, String words) {
        svg.add(
                "<path class='series-%s %s' stroke='%s' stroke-width='1.5' fill='%s' transform='translate(%s %s)' d='%s'>"
                        + "<title>%s</title></path>",
                colour(),
                full ? "full-" + colour() : "surface",
                lightColour(),
                full ? lightColour() : SvgTheme.LIGHT_SURFACE,
                x,
                y,
                SHAPES[series % SHAPES.length],
                words);
    }
}

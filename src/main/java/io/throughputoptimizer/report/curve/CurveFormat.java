package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Curves;
import java.util.function.Supplier;

/// What curves can be drawn as.
public enum CurveFormat {
    /// A picture of lines and markers.
    SVG(CurveFormat.PICTURE, SvgRenderer::new),
    /// Plain characters.
    TEXT(CurveFormat.PLAIN, PlotRenderer::new);

    /// Media type of [#SVG].
    public static final String PICTURE = "image/svg+xml";

    /// Media type of [#TEXT].
    public static final String PLAIN = "text/plain";

    private final String mediaType;

    // A constructor reference holds no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Supplier<CurveRenderer> renderer;

    CurveFormat(String mediaType, Supplier<CurveRenderer> renderer) {
        this.mediaType = mediaType;
        this.renderer = renderer;
    }

    public String mediaType() {
        return mediaType;
    }

    /// A drawing of some curves.
    public String render(Curves curves) {
        return renderer.get().render(curves);
    }
}

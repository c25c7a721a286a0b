package io.throughputoptimizer.report;

import java.util.function.Supplier;

/// What curves can be drawn as.
public enum CurveFormat {
    /// A picture of lines and markers.
    SVG(SvgRenderer::new),
    /// Plain characters.
    TEXT(PlotRenderer::new);

    // A constructor reference holds no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Supplier<CurveRenderer> renderer;

    CurveFormat(Supplier<CurveRenderer> renderer) {
        this.renderer = renderer;
    }

    /// A drawing of some curves.
    public String render(Curves curves) {
        return renderer.get().render(curves);
    }
}

package io.throughputoptimizer.report.curve;

import java.util.List;

/// Colours in light and dark surroundings. Every ink reaches a contrast of 4.5 to its surface, every line one of 3.
final class SvgTheme {
    static final String LIGHT_SURFACE = "#ffffff";
    static final String DARK_SURFACE = "#15181e";
    static final String LIGHT_INK = "#1f2430";
    static final String DARK_INK = "#e6e9ef";
    static final String LIGHT_GRID = "#d9dde5";
    static final String DARK_GRID = "#353b47";
    static final String LIGHT_LIMIT = "#b42318";
    static final String DARK_LIMIT = "#ff9b8f";

    static final List<String> LIGHT_SERIES =
            List.of("#1f5fa8", "#b93e07", "#0f766e", "#7c3aed", "#8a5a00", "#be185d", "#475569", "#166534");
    static final List<String> DARK_SERIES =
            List.of("#7fb3ff", "#fb923c", "#2dd4bf", "#c4b5fd", "#facc15", "#f9a8d4", "#cbd5e1", "#86efac");

    private SvgTheme() {}

    /// Colours that replace the attributes in dark surroundings.
    static String darkStyles() {
        StringBuilder rules = new StringBuilder("@media (prefers-color-scheme: dark) {");
        rules.append(" .surface { fill: ").append(DARK_SURFACE).append("; }");
        rules.append(" .ink { fill: ").append(DARK_INK).append("; }");
        rules.append(" .axis, .best { stroke: ").append(DARK_INK).append("; }");
        rules.append(" .grid { stroke: ").append(DARK_GRID).append("; }");
        rules.append(" .limit { stroke: ").append(DARK_LIMIT).append("; }");
        rules.append(" .limit-ink { fill: ").append(DARK_LIMIT).append("; }");
        for (int i = 0; i < DARK_SERIES.size(); i++) {
            rules.append(" .series-")
                    .append(i)
                    .append(" { stroke: ")
                    .append(DARK_SERIES.get(i))
                    .append("; }");
            rules.append(" .full-")
                    .append(i)
                    .append(" { fill: ")
                    .append(DARK_SERIES.get(i))
                    .append("; }");
        }
        return rules.append(" }").toString();
    }

    /// Colour of a series; after the last one they start again, with other markers.
    static int colour(int series) {
        return series % LIGHT_SERIES.size();
    }
}

package io.throughputoptimizer.report.table;

import io.throughputoptimizer.report.table.Report.Renderer;
import io.throughputoptimizer.report.table.Section.Comparison;
import io.throughputoptimizer.report.table.Section.Fact;
import io.throughputoptimizer.report.table.Section.Frame;
import io.throughputoptimizer.report.table.Section.Listing;
import io.throughputoptimizer.report.table.Section.NoConfiguration;
import io.throughputoptimizer.report.table.Section.Simulated;
import io.throughputoptimizer.report.table.Section.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Framed tables in plain characters (results, text report). Each section starts with an empty line; no line ends
/// in a blank, and nothing is coloured, not even by a name.
public final class TextRenderer implements Renderer {
    private static final String INDENT = "  ";
    private static final String WARNING = "Warning: ";
    private static final int PHASE_WIDTH = 80;
    private static final int PD_RATIO_WIDTH = 120;

    @Override
    public String render(Report report) {
        List<String> lines = new ArrayList<>();
        for (Section section : report.sections()) {
            lines.add("");
            lines.addAll(
                    switch (section) {
                        case Summary summary -> summary(summary);
                        case Simulated simulated -> simulated(simulated);
                        case NoConfiguration none -> noConfiguration(none);
                        case Comparison comparison -> comparison(comparison);
                        case Listing(Table table) -> TableText.aligned(table);
                    });
        }
        return lines.stream().map(line -> Printable.of(line) + "\n").collect(Collectors.joining());
    }

    private static List<String> summary(Summary summary) {
        int width = width(summary.frame());
        boolean wide = summary.frame() == Frame.PD_RATIO;
        List<String> lines = new ArrayList<>();
        lines.add(stars(width));
        lines.add(rule(width));
        lines.add(INDENT + "Input Configuration:");
        lines.addAll(facts(summary.input(), 2));
        lines.add(rule(width));
        lines.add(INDENT + "Overall Best Configuration:");
        lines.addAll(facts(summary.best(), wide ? 3 : 2));
        lines.add(rule(width));
        lines.add((wide ? INDENT : "") + summary.title());
        lines.addAll(TableText.framed(summary.table()));
        lines.add(stars(width));
        summary.warnings().forEach(warning -> lines.add(WARNING + warning));
        return lines;
    }

    private static List<String> simulated(Simulated simulated) {
        List<String> lines = new ArrayList<>(List.of(stars(PHASE_WIDTH), rule(PHASE_WIDTH)));
        lines.add(INDENT + "Input Configuration:");
        lines.addAll(facts(simulated.input(), 2));
        lines.add(rule(PHASE_WIDTH));
        lines.add(INDENT + "What Clients See in the Mean:");
        lines.addAll(facts(simulated.outcome(), 2));
        lines.add(rule(PHASE_WIDTH));
        lines.add(simulated.title());
        lines.addAll(TableText.framed(simulated.table()));
        lines.add(stars(PHASE_WIDTH));
        return lines;
    }

    private static List<String> noConfiguration(NoConfiguration none) {
        List<String> lines = new ArrayList<>(List.of(stars(PHASE_WIDTH), none.sentence(), stars(PHASE_WIDTH)));
        if (!none.input().isEmpty()) {
            lines.add("Input Configuration:");
            lines.addAll(facts(none.input(), 1));
        }
        lines.add(WARNING + none.warning());
        lines.addAll(facts(none.reasons(), 1));
        return lines;
    }

    private static List<String> comparison(Comparison comparison) {
        List<String> lines = new ArrayList<>(List.of(stars(comparison.width())));
        comparison.headings().forEach(heading -> lines.add(INDENT + heading));
        lines.add(rule(comparison.width()));
        lines.addAll(TableText.framed(comparison.table()));
        comparison.notes().forEach(note -> lines.add(INDENT + note));
        lines.add(stars(comparison.width()));
        return lines;
    }

    private static List<String> facts(List<Fact> facts, int depth) {
        return facts.stream()
                .map(fact -> INDENT.repeat(depth) + fact.label() + ": " + fact.text())
                .toList();
    }

    private static int width(Frame frame) {
        return switch (frame) {
            case PHASE -> PHASE_WIDTH;
            case PD_RATIO -> PD_RATIO_WIDTH;
        };
    }

    private static String stars(int width) {
        return "*".repeat(width);
    }

    private static String rule(int width) {
        return INDENT + "-".repeat(width - 2 * INDENT.length());
    }
}

package io.throughputoptimizer.report.table;

import java.util.List;

/// Content of a report of [Findings], without its format.
///
/// @param sections for people, in reading order
/// @param records for programs: every shown row with all its columns, detail rows after their aggregate row
public record Report(List<Section> sections, Table records) {
    public Report {
        sections = List.copyOf(sections);
    }

    /// Gives a [Report] its looks. Decides nothing about what is shown.
    public interface Renderer {

        String render(Report report);
    }
}

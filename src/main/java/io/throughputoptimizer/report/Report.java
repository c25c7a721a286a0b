package io.throughputoptimizer.report;

import java.util.List;

/// What is shown of [Findings]; how it looks is a renderer's business.
///
/// @param sections for people, in reading order
/// @param records for programs: every shown row with all its columns, detail rows after their aggregate row
record Report(List<Section> sections, Table records) {
    Report {
        sections = List.copyOf(sections);
    }
}

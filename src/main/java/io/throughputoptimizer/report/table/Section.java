package io.throughputoptimizer.report.table;

import java.util.List;

/// One part of a [Report].
public sealed interface Section {

    /// One line of a block: what it is about, and what there is to say.
    record Fact(String label, String text) {}

    /// Request, best plan and all plans.
    ///
    /// @param best figures of the first row
    /// @param title of the table
    /// @param warnings what to know before trusting the figures
    record Summary(Frame frame, List<Fact> input, List<Fact> best, String title, Table table, List<String> warnings)
            implements Section {
        public Summary {
            input = List.copyOf(input);
            best = List.copyOf(best);
            warnings = List.copyOf(warnings);
        }
    }

    /// Widths of a summary: lines of a P:D ratio are longer than those of a phase.
    enum Frame {
        PHASE,
        PD_RATIO
    }

    /// One configuration under a load.
    ///
    /// @param title of the table
    record Simulated(List<Fact> input, List<Fact> outcome, String title, Table table) implements Section {
        public Simulated {
            input = List.copyOf(input);
            outcome = List.copyOf(outcome);
        }
    }

    /// There is no answer.
    ///
    /// @param sentence that says so
    /// @param input what was asked; empty beside a section that says it
    /// @param warning where it happened
    /// @param reasons one per layout
    record NoConfiguration(String sentence, List<Fact> input, String warning, List<Fact> reasons) implements Section {
        public NoConfiguration {
            input = List.copyOf(input);
            reasons = List.copyOf(reasons);
        }
    }

    /// Kinds of device side by side.
    ///
    /// @param width of the frame in characters
    /// @param headings lines above the table
    /// @param notes lines below it
    record Comparison(int width, List<String> headings, Table table, List<String> notes) implements Section {
        public Comparison {
            headings = List.copyOf(headings);
            notes = List.copyOf(notes);
        }
    }

    /// Every record, without a frame.
    record Listing(Table table) implements Section {}
}

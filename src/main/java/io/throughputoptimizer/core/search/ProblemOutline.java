package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.serving.Accounting;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Presence of the optional parts of a problem, whatever their values: enough to find parts that do not fit
/// together.
///
/// @param given optional parts that are present
public record ProblemOutline(SearchMode mode, Accounting accounting, Set<Part> given) {

    /// Optional parts of a problem.
    public enum Part {
        TTFT_LIMIT,
        TPOT_LIMIT,
        /// End-to-end latency target.
        E2E_LATENCY_LIMIT,
        LENGTH_DISTRIBUTION,
        OUTPUT_DISTRIBUTION,
        IMAGES,
        INSTANCES,
        /// Objective of user rate.
        USER_RATE
    }

    public ProblemOutline {
        given = Set.copyOf(given);
    }

    /// Returns a copy with a part, if it has a value.
    public ProblemOutline with(Part part, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Set<Part> more = new HashSet<>(given);
        more.add(part);
        return new ProblemOutline(mode, accounting, more);
    }

    /// Faults of an outline. Callers report them in their own terms.
    public enum Fault {
        NO_LIMIT(Subject.LIMITS, "are missing: a phase by itself is searched for one"),
        LENGTHS_UNSERVED(Subject.MODE, "needs one input length with this accounting"),
        OUTPUTS_UNSERVED(Subject.OUTPUT_DISTRIBUTION, "is given: the accounting takes one output length"),
        LENGTHS_WITH_IMAGES(Subject.IMAGES, "are given: a length distribution takes text only"),
        OUTPUTS_WITH_IMAGES(Subject.IMAGES, "are given: an output distribution takes text only"),
        /// For mixed input lengths, which are searched for prefill.
        TTFT_MISSING(Subject.TTFT_LIMIT, "is missing: a length distribution is searched for prefill"),
        /// For mixed input lengths, which are searched for prefill only.
        TPOT_GIVEN(Subject.TPOT_LIMIT, "is given: a length distribution is searched for prefill only"),
        /// Prefill instances generate no tokens.
        NO_USER_RATE(Subject.OBJECTIVE, "is the rate of one user: prefill instances generate no tokens"),
        /// Prefill and decode that are searched separately each make only a part of the end-to-end latency.
        WHOLE_ANSWERS_OF_PHASES(
                Subject.E2E_LATENCY_LIMIT, "is given: prefill and decode instances are searched for their own limits"),
        INSTANCES_MISSING(Subject.INSTANCES, "are missing: nothing says what is paired"),
        INSTANCES_GIVEN(Subject.INSTANCES, "are given: nothing is paired");

        private final Subject subject;
        private final String message;

        Fault(Subject subject, String message) {
            this.subject = subject;
            this.message = message;
        }

        public Subject subject() {
            return subject;
        }

        Objection objection() {
            return new Objection(subject, message);
        }
    }

    /// Returns the faults of the outline; empty if its parts fit together.
    public Set<Fault> faults() {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        boolean ofPhases = mode == SearchMode.DISAGGREGATION;
        boolean paired = mode == SearchMode.PD_RATIO;
        boolean lengths = has(Part.LENGTH_DISTRIBUTION);
        boolean outputs = has(Part.OUTPUT_DISTRIBUTION);
        boolean decodesMixed = accounting.decodesMixedLengths();
        boolean prefillOnly = ofPhases && lengths && !decodesMixed;
        add(faults, Fault.NO_LIMIT, ofPhases && !has(Part.TTFT_LIMIT) && !has(Part.TPOT_LIMIT));
        add(faults, Fault.LENGTHS_UNSERVED, lengths && !ofPhases && !decodesMixed);
        add(faults, Fault.LENGTHS_WITH_IMAGES, lengths && has(Part.IMAGES));
        add(faults, Fault.TTFT_MISSING, prefillOnly && !has(Part.TTFT_LIMIT));
        add(faults, Fault.TPOT_GIVEN, prefillOnly && has(Part.TPOT_LIMIT));
        add(faults, Fault.OUTPUTS_UNSERVED, outputs && !decodesMixed);
        add(faults, Fault.OUTPUTS_WITH_IMAGES, outputs && !lengths && has(Part.IMAGES));
        add(faults, Fault.NO_USER_RATE, ofPhases && has(Part.USER_RATE) && has(Part.TTFT_LIMIT));
        add(faults, Fault.WHOLE_ANSWERS_OF_PHASES, ofPhases && has(Part.E2E_LATENCY_LIMIT));
        add(faults, Fault.INSTANCES_MISSING, paired && !has(Part.INSTANCES));
        add(faults, Fault.INSTANCES_GIVEN, !paired && has(Part.INSTANCES));
        return faults;
    }

    private static void add(Set<Fault> faults, Fault fault, boolean broken) {
        if (broken) {
            faults.add(fault);
        }
    }

    private boolean has(Part part) {
        return given.contains(part);
    }

    /// Kind of deployment to search.
    public enum SearchMode {
        /// Aggregated: one kind of instance runs prefill and decode.
        AGGREGATION,
        /// Disaggregated phases: prefill instances, decode instances, or both, each searched separately.
        DISAGGREGATION,
        /// P:D ratio: numbers of prefill and decode instances; both phases are searched, whatever the targets.
        PD_RATIO
    }
}

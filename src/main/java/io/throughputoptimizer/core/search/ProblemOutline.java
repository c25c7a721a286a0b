package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which parts of a problem are there, whatever their values: enough to see which of them do not go together.
///
/// @param given the optional parts that are there
public record ProblemOutline(SearchMode mode, Accounting accounting, Set<Part> given) {

    /// Optional parts of a problem.
    public enum Part {
        TTFT_LIMIT,
        TPOT_LIMIT,
        /// On whole answers.
        REQUEST_LATENCY_LIMIT,
        LENGTH_DISTRIBUTION,
        OUTPUT_DISTRIBUTION,
        IMAGES,
        INSTANCES,
        /// Plans are ranked by what one user sees.
        USER_RATE
    }

    public ProblemOutline {
        given = Set.copyOf(given);
    }

    /// An outline without any optional part.
    public ProblemOutline(SearchMode mode, Accounting accounting) {
        this(mode, accounting, Set.of());
    }

    /// The same outline with a part, if that has a value.
    public ProblemOutline with(Part part, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Set<Part> more = new HashSet<>(given);
        more.add(part);
        return new ProblemOutline(mode, accounting, more);
    }

    /// What can be wrong with an outline. Whoever asked is told in his own words.
    public enum Fault {
        NO_LIMIT(Subject.LIMITS, "are missing: a phase by itself is searched for one"),
        LENGTHS_UNSERVED(Subject.MODE, "needs one input length with this accounting"),
        OUTPUTS_UNSERVED(Subject.OUTPUT_DISTRIBUTION, "is given: the accounting takes one output length"),
        LENGTHS_WITH_IMAGES(Subject.IMAGES, "are given: a length distribution takes text only"),
        OUTPUTS_WITH_IMAGES(Subject.IMAGES, "are given: an output distribution takes text only"),
        /// Of mixed lengths, which are searched for prefill.
        TTFT_MISSING(Subject.TTFT_LIMIT, "is missing: a length distribution is searched for prefill"),
        /// Of mixed lengths, which are searched for prefill only.
        TPOT_GIVEN(Subject.TPOT_LIMIT, "is given: a length distribution is searched for prefill only"),
        /// Prefill instances generate no tokens.
        NO_USER_RATE(Subject.OBJECTIVE, "is the rate of one user: prefill instances generate no tokens"),
        /// Phases that nobody puts together make a part of an answer.
        WHOLE_ANSWERS_OF_PHASES(
                Subject.REQUEST_LATENCY_LIMIT,
                "is given: prefill and decode instances are searched for their own limits"),
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

    /// Which parts are missing or do not go together; empty when there is nothing against the outline.
    public Set<Fault> faults() {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        boolean ofPhases = mode == SearchMode.DISAGGREGATION;
        boolean paired = mode == SearchMode.PD_RATIO;
        boolean lengths = has(Part.LENGTH_DISTRIBUTION);
        boolean outputs = has(Part.OUTPUT_DISTRIBUTION);
        boolean decodesMixed = accounting.servesMixedLengths(Phase.DECODE);
        boolean servesMixed =
                accounting.servesMixedLengths(mode == SearchMode.AGGREGATION ? Phase.AGGREGATION : Phase.DECODE);
        boolean prefillOnly = ofPhases && lengths && !decodesMixed;
        add(faults, Fault.NO_LIMIT, ofPhases && !has(Part.TTFT_LIMIT) && !has(Part.TPOT_LIMIT));
        add(faults, Fault.LENGTHS_UNSERVED, lengths && !ofPhases && !servesMixed);
        add(faults, Fault.LENGTHS_WITH_IMAGES, lengths && has(Part.IMAGES));
        add(faults, Fault.TTFT_MISSING, prefillOnly && !has(Part.TTFT_LIMIT));
        add(faults, Fault.TPOT_GIVEN, prefillOnly && has(Part.TPOT_LIMIT));
        add(faults, Fault.OUTPUTS_UNSERVED, outputs && !decodesMixed);
        add(faults, Fault.OUTPUTS_WITH_IMAGES, outputs && !lengths && has(Part.IMAGES));
        add(faults, Fault.NO_USER_RATE, ofPhases && has(Part.USER_RATE) && has(Part.TTFT_LIMIT));
        add(faults, Fault.WHOLE_ANSWERS_OF_PHASES, ofPhases && has(Part.REQUEST_LATENCY_LIMIT));
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
}

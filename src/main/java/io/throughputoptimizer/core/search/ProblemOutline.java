package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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

    /// Which parts are missing or do not go together; empty when there is nothing against the outline.
    public List<Objection> objections() {
        List<Objection> objections = new ArrayList<>();
        if (mode == SearchMode.DISAGGREGATION && !has(Part.TTFT_LIMIT) && !has(Part.TPOT_LIMIT)) {
            objections.add(new Objection(
                    Subject.LIMITS,
                    "has no limit: mode disaggregation needs ttft_ms for prefill, tpot_ms for decode, or both"));
        }
        if (has(Part.LENGTH_DISTRIBUTION)) {
            checkLengthDistribution(objections);
        }
        if (has(Part.OUTPUT_DISTRIBUTION)) {
            checkOutputDistribution(objections);
        }
        checkUserRate(objections);
        checkInstances(objections);
        return objections;
    }

    private void checkLengthDistribution(List<Objection> objections) {
        switch (mode) {
            case DISAGGREGATION -> {
                if (!accounting.servesMixedLengths(Phase.DECODE)) {
                    checkPrefillOnly(objections);
                }
            }
            case AGGREGATION -> {
                if (!accounting.servesMixedLengths(Phase.AGGREGATION)) {
                    objections.add(new Objection(
                            Subject.MODE,
                            "is aggregation: with " + accounting.name()
                                    + " accounting a length distribution needs mode disaggregation"));
                }
            }
            case PD_RATIO -> {
                if (!accounting.servesMixedLengths(Phase.DECODE)) {
                    objections.add(new Objection(
                            Subject.MODE, "is pd_ratio: a length distribution needs mode disaggregation"));
                }
            }
        }
        if (has(Part.IMAGES)) {
            objections.add(new Objection(Subject.IMAGES, "is given: a length distribution takes text only"));
        }
    }

    private void checkOutputDistribution(List<Objection> objections) {
        if (!accounting.servesMixedLengths(Phase.DECODE)) {
            objections.add(new Objection(
                    Subject.OUTPUT_DISTRIBUTION,
                    "is given: accounting " + accounting.name()
                            + " takes one output_length, corrected a distribution"));
        }
        if (has(Part.IMAGES) && !has(Part.LENGTH_DISTRIBUTION)) {
            objections.add(new Objection(Subject.IMAGES, "is given: an output distribution takes text only"));
        }
    }

    private void checkPrefillOnly(List<Objection> objections) {
        if (!has(Part.TTFT_LIMIT)) {
            objections.add(new Objection(
                    Subject.TTFT_LIMIT,
                    "is missing: a length distribution is searched for prefill, which needs a TTFT limit"));
        }
        if (has(Part.TPOT_LIMIT)) {
            objections.add(new Objection(
                    Subject.TPOT_LIMIT,
                    "is given: a length distribution is searched for prefill only, without a TPOT limit"));
        }
    }

    private void checkUserRate(List<Objection> objections) {
        if (has(Part.USER_RATE) && mode == SearchMode.DISAGGREGATION && has(Part.TTFT_LIMIT)) {
            objections.add(new Objection(
                    Subject.OBJECTIVE,
                    "is tokens_per_s_per_user: mode disaggregation with a TTFT limit searches prefill instances, which"
                            + " generate no tokens"));
        }
    }

    private void checkInstances(List<Objection> objections) {
        boolean needed = mode == SearchMode.PD_RATIO;
        if (needed && !has(Part.INSTANCES)) {
            objections.add(new Objection(
                    Subject.INSTANCES,
                    "is missing: mode pd_ratio needs the devices of a prefill and of a decode instance"));
        }
        if (!needed && has(Part.INSTANCES)) {
            objections.add(new Objection(
                    Subject.INSTANCES,
                    "is given: only mode pd_ratio takes it, and mode is "
                            + mode.name().toLowerCase(Locale.ROOT)));
        }
    }

    private boolean has(Part part) {
        return given.contains(part);
    }
}

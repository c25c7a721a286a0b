package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import java.util.ArrayList;
import java.util.List;

/// A lever that was not tried, or not with every change, and the reason.
public record SkippedLever(Lever lever, String reason) {
    private static final SkippedLever LATENCIES =
            new SkippedLever(DeviceFigure.LINK_LATENCY, "measured collectives have latencies of their own");
    private static final SkippedLever DRAFTS = new SkippedLever(
            Choice.DRAFT_TOKENS,
            "only numbers of drafts that are asked for are priced: how many of others are accepted is not known");
    private static final SkippedLever BUDGET =
            new SkippedLever(Choice.TOKEN_BUDGET, "a prefill rank of pairs works on one prompt at a time");

    private static final String OF_ANOTHER_SERVER = "the measured rows are of another server, and say nothing of it";
    private static final List<SkippedLever> UNMEASURED = List.of(
            new SkippedLever(Choice.CACHE_QUANTIZATION, OF_ANOTHER_SERVER),
            new SkippedLever(Choice.LINEAR_QUANTIZATION, OF_ANOTHER_SERVER),
            new SkippedLever(Choice.TOKEN_BUDGET, OF_ANOTHER_SERVER),
            new SkippedLever(Choice.DEVICE, OF_ANOTHER_SERVER),
            new SkippedLever(Choice.PREFIX_CACHE_HIT_RATE, "no measured row says what a prefix cache does"));

    private static final SkippedLever PREFIXES =
            new SkippedLever(Choice.PREFIX_CACHE_HIT_RATE, "no simulation knows a prefix cache");

    static final SkippedLever OF_TURNS =
            new SkippedLever(Choice.PREFIX_CACHE_HIT_RATE, "it follows from the turns of a conversation");

    /// @param spent description of the work done before it was left out
    static SkippedLever unfinished(Lever lever, String spent) {
        return new SkippedLever(lever, "not every change of it was searched: " + spent);
    }

    /// Returns the levers that do not apply to the calibrated model.
    static List<SkippedLever> of(CalibratedQuestion question) {
        List<SkippedLever> levers = new ArrayList<>(List.of(LATENCIES, DRAFTS));
        if (question.aim() == QuestionKind.PD_RATIO) {
            levers.add(BUDGET);
        }
        if (question.hasTurns()) {
            levers.add(OF_TURNS);
        } else if (question.isSimulated()) {
            levers.add(PREFIXES);
        }
        if (question.isMeasured()) {
            levers.addAll(UNMEASURED);
        }
        return levers;
    }
}

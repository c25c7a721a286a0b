package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import java.util.ArrayList;
import java.util.List;

/// A lever that was not tried, or not with every change, and the reason.
public record NotAsked(Lever lever, String reason) {
    private static final NotAsked LATENCIES =
            new NotAsked(DeviceFigure.LINK_LATENCY, "measured collectives have latencies of their own");
    private static final NotAsked DRAFTS = new NotAsked(
            Choice.DRAFT_TOKENS,
            "only numbers of drafts that are asked for are priced: how many of others are accepted is not known");
    private static final NotAsked BUDGET =
            new NotAsked(Choice.TOKEN_BUDGET, "a prefill rank of pairs works on one prompt at a time");

    private static final String OF_ANOTHER_SERVER = "the measured rows are of another server, and say nothing of it";
    private static final List<NotAsked> UNMEASURED = List.of(
            new NotAsked(Choice.CACHE_QUANTIZATION, OF_ANOTHER_SERVER),
            new NotAsked(Choice.LINEAR_QUANTIZATION, OF_ANOTHER_SERVER),
            new NotAsked(Choice.TOKEN_BUDGET, OF_ANOTHER_SERVER),
            new NotAsked(Choice.DEVICE, OF_ANOTHER_SERVER),
            new NotAsked(Choice.PREFIX_CACHE_HIT_RATE, "no measured row says what a prefix cache does"));

    private static final NotAsked PREFIXES =
            new NotAsked(Choice.PREFIX_CACHE_HIT_RATE, "no simulation knows a prefix cache");

    static final NotAsked OF_TURNS =
            new NotAsked(Choice.PREFIX_CACHE_HIT_RATE, "it follows from the turns of a conversation");

    /// @param spent description of the work done before it was left out
    static NotAsked unfinished(Lever lever, String spent) {
        return new NotAsked(lever, "not every change of it was searched: " + spent);
    }

    /// Returns the levers that do not apply to the calibrated model.
    static List<NotAsked> of(MeasuredQuestion question) {
        List<NotAsked> levers = new ArrayList<>(List.of(LATENCIES, DRAFTS));
        if (question.aim() == Aim.PD_RATIO) {
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

package io.throughputoptimizer.api.result.figure;

import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.feedback.CalibrationPosterior.Standing;
import io.throughputoptimizer.core.feedback.Parameter;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// Descriptions of the calibration of a server and its caveats.
final class FeedbackMessages {
    /// Share of what servers usually differ by from which on a difference is worth telling.
    private static final double WORTH_TELLING = 0.2;

    private static final double SCALE_OF_A_STRANGER = 2;
    private static final int STRANGEST = 3;

    private FeedbackMessages() {}

    static double percent(double logarithm) {
        return 100 * Math.expm1(logarithm);
    }

    /// Describes the learned parameters, those that differ most from the model first.
    static String learnt(CalibrationPosterior learnt) {
        if (learnt.figures() == 0) {
            return "nothing: no figure of the rows fits the model";
        }
        String clauses = Arrays.stream(Parameter.values())
                .filter(parameter -> share(learnt, parameter) >= WORTH_TELLING
                        && !amount(learnt, parameter).equals("0"))
                .sorted(Comparator.comparingDouble(parameter -> -share(learnt, parameter)))
                .map(parameter -> clause(learnt, parameter))
                .collect(Collectors.joining("; "));
        return clauses.isEmpty() ? "the server does what the model says" : clauses;
    }

    private static double share(CalibrationPosterior learnt, Parameter parameter) {
        return Math.abs(learnt.parameter(parameter)) / parameter.deviation();
    }

    /// Without its sign.
    private static String amount(CalibrationPosterior learnt, Parameter parameter) {
        double value = learnt.parameter(parameter);
        return switch (parameter) {
            case STEP_GAP -> rounded(Math.abs(value), 2);
            case PER_REQUEST -> rounded(Math.abs(value), 1);
            case DECODE, PREFILL, COLLECTIVES, EXPERTS, FRONTEND, TTFT -> rounded(Math.abs(percent(value)), 0);
        };
    }

    private static String rounded(double value, int decimals) {
        double unit = Math.pow(10, decimals);
        return Decimals.shortest(Math.rint(value * unit) / unit);
    }

    private static String clause(CalibrationPosterior learnt, Parameter parameter) {
        boolean more = learnt.parameter(parameter) > 0;
        String amount = amount(learnt, parameter);
        return switch (parameter) {
            case DECODE -> "decode steps are " + amount + "% " + (more ? "slower" : "faster");
            case PREFILL -> "prefill is " + amount + "% " + (more ? "slower" : "faster");
            case STEP_GAP ->
                "each step takes " + amount + " ms " + (more ? "longer" : "less") + " than measured kernels explain";
            case PER_REQUEST ->
                "each running request "
                        + (more ? "adds " + amount + " us to a step" : "takes " + amount + " us off a step");
            case COLLECTIVES -> "collectives take " + amount + "% " + (more ? "longer" : "less time");
            case EXPERTS -> "routed experts take " + amount + "% " + (more ? "longer" : "less time") + " in decode";
            case FRONTEND -> "the front end takes " + amount + "% " + (more ? "longer" : "less time");
            case TTFT -> "TTFT is a further " + amount + "% " + (more ? "higher" : "lower");
        };
    }

    static List<String> warnings(CalibrationPosterior learnt) {
        List<String> warnings = new ArrayList<>();
        if (learnt.rows() == 1) {
            warnings.add(
                    "one row alone helps TPOT and tokens/s a little, and of TTFT it may mislead, as a burst or a full"
                            + " cache says nothing about the rest: measure the layout that you plan at its lowest, a middle and"
                            + " its highest concurrency, with your lengths");
        }
        learnt.rejected().stream()
                .map(one -> place(one.row()) + " is left out with its " + FeedbackResponse.member(one.metric())
                        + ": measured / predicted = " + rounded(one.ratio(), one.ratio() < 1 ? 3 : 1)
                        + ", which fits nothing; check layout, lengths and unit")
                .forEach(warnings::add);
        if (learnt.scale() > SCALE_OF_A_STRANGER) {
            warnings.add("the server does not behave like the model: bands are " + rounded(Math.sqrt(learnt.scale()), 1)
                    + " times as wide, by the square root of scale, " + rounded(learnt.scale(), 1)
                    + "; the figures that disagree most are "
                    + learnt.standings().stream()
                            .limit(STRANGEST)
                            .map(FeedbackMessages::strange)
                            .collect(Collectors.joining(", ")));
        }
        if (learnt.figures() == 0) {
            warnings.add("no figure of the rows is left: nothing is corrected");
        }
        return warnings;
    }

    private static String strange(Standing figure) {
        return FeedbackResponse.member(figure.metric()) + " of " + place(figure.row()) + " ("
                + rounded(figure.ratio(), 2) + " times as predicted)";
    }

    private static String place(int row) {
        return "feedback.rows[" + row + "]";
    }
}

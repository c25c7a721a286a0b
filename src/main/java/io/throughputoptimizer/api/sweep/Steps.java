package io.throughputoptimizer.api.sweep;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Values of an axis at equal distances, `from + (to - from) i / (steps - 1)`, or in equal ratios,
/// `from (to / from)^(i / (steps - 1))`, both ends among them.
record Steps(Number from, Number to, int steps, boolean logarithmic) {
    private static final Set<String> MEMBERS = Set.of("from", "to", "steps", "scale");
    private static final int MOST = 1_000;
    /// Enough to be told apart, and too few to show the error of a sum.
    private static final MathContext DIGITS = new MathContext(12);

    /// @param place pointer of the object, for violations
    /// @throws InvalidRequestException if it is no such object
    static Steps read(Map<?, ?> object, String place) {
        for (Object name : object.keySet()) {
            if (!MEMBERS.contains(String.valueOf(name))) {
                throw refused(place + "/" + name, "is not a known field; allowed: from, to, steps, scale");
            }
        }
        Object scale = object.get("scale");
        if (scale != null && !scale.equals("linear") && !scale.equals("log")) {
            throw refused(place + "/scale", "must be linear or log, got " + shown(scale));
        }
        boolean logarithmic = "log".equals(scale);
        Number from = number(object, "from", place, logarithmic);
        Number to = number(object, "to", place, logarithmic);
        if (from.doubleValue() == to.doubleValue()) {
            throw refused(place + "/to", "must differ from from, got " + shown(to));
        }
        Object steps = object.get("steps");
        if (!(steps instanceof Integer number) || number < 2 || number > MOST) {
            throw refused(
                    place + "/steps",
                    "must be a whole number from 2 to " + MOST + (steps == null ? "" : ", got " + shown(steps)));
        }
        return new Steps(from, to, number, logarithmic);
    }

    private static Number number(Map<?, ?> object, String member, String place, boolean positive) {
        Object value = object.get(member);
        if (!(value instanceof Number number)
                || !Double.isFinite(number.doubleValue())
                || (positive && number.doubleValue() <= 0)) {
            throw refused(
                    place + "/" + member,
                    "must be a " + (positive ? "number above 0" : "finite number")
                            + (value == null ? "" : ", got " + shown(value)));
        }
        return number;
    }

    List<Object> values() {
        List<Double> exact = IntStream.range(0, steps).mapToObj(this::at).toList();
        if (isWhole(from) && isWhole(to)) {
            List<Long> whole = exact.stream().map(Math::round).toList();
            if (new HashSet<>(whole).size() == steps) {
                return List.copyOf(whole);
            }
        }
        return exact.stream()
                .<Object>map(value -> BigDecimal.valueOf(value).round(DIGITS).doubleValue())
                .toList();
    }

    private double at(int step) {
        double begin = from.doubleValue();
        double end = to.doubleValue();
        if (step == 0) {
            return begin;
        }
        if (step == steps - 1) {
            return end;
        }
        double share = (double) step / (steps - 1);
        return logarithmic ? begin * Math.pow(end / begin, share) : begin + (end - begin) * share;
    }

    private static boolean isWhole(Number number) {
        return number instanceof Integer || number instanceof Long;
    }

    private static String shown(@Nullable Object value) {
        String text = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    private static InvalidRequestException refused(String place, String message) {
        return new InvalidRequestException(place, message);
    }
}

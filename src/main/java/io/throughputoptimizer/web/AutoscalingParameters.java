package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.autoscaling.AutoscalingOptions;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions.Format;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions.Rate;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.util.MultiValueMap;

/// Query parameters of autoscaler parameters.
final class AutoscalingParameters {
    static final String RATE_PROFILE = "rate_profile";
    static final String FORMATS = "formats";
    private static final String DEFAULT_FORMAT = "keda";

    private static final int HOURS = 24;
    private static final double HOUR_S = 3600;
    private static final int MOST_RATES = 288;
    private static final int LONGEST_START_S = 86_400;
    private static final double MOST_PER_S = 1e9;
    private static final double MOST_SECONDS = 1e11;
    private static final String DECIMAL = "[0-9]{1,18}([.][0-9]{1,18})?([eE][-+]?[0-9]{1,3})?";
    private static final String LABEL = "[a-z]([-a-z0-9]{0,61}[a-z0-9])?";

    private AutoscalingParameters() {}

    /// @throws InvalidParameterException if a value breaks a rule
    static AutoscalingOptions of(MultiValueMap<String, String> query) {
        String name = query.getFirst("name");
        String rates = query.getFirst(RATE_PROFILE);
        return new AutoscalingOptions(
                formats(query.getOrDefault(FORMATS, List.of(DEFAULT_FORMAT))),
                name == null ? null : label("name", name),
                label("namespace", first(query, "namespace", "default")),
                rates == null ? List.of() : rates(rates),
                ParameterValue.asLong("start_s", first(query, "start_s", "300"), 0, LONGEST_START_S));
    }

    /// Returns the rank of the deployment.
    static int rank(MultiValueMap<String, String> query) {
        return LaunchCalls.place(first(query, "rank", "1"));
    }

    private static String first(MultiValueMap<String, String> query, String name, String otherwise) {
        return requireNonNullElse(query.getFirst(name), otherwise);
    }

    private static Set<Format> formats(List<String> names) {
        List<String> known = Stream.of(Format.values()).map(Format::wireName).toList();
        Set<Format> formats = EnumSet.noneOf(Format.class);
        for (String name : String.join(",", names).split(",", -1)) {
            formats.add(Format.of(name)
                    .orElseThrow(() -> new InvalidParameterException(
                            FORMATS,
                            "unknown value \"" + name + "\"; allowed: " + String.join(", ", known)
                                    + NearestNames.meant(name, known)
                                            .map(meant -> ". Did you mean \"" + meant + "\"?")
                                            .orElse(""))));
        }
        return formats;
    }

    private static String label(String parameter, String text) {
        if (!text.matches(LABEL)) {
            throw new InvalidParameterException(
                    parameter,
                    "must be a DNS label of at most 63 lower-case letters, digits and hyphens that starts with a letter,"
                            + " got \"" + text + "\"");
        }
        return text;
    }

    private static List<Rate> rates(String text) {
        String[] entries = text.split(",", MOST_RATES + 1);
        boolean timed = text.contains(":");
        if (entries.length > MOST_RATES || (!timed && entries.length != HOURS)) {
            throw new InvalidParameterException(
                    RATE_PROFILE,
                    "must have 24 requests/s, one for each hour, or at most " + MOST_RATES
                            + " pairs SECONDS:REQUESTS_PER_S, got "
                            + (entries.length > MOST_RATES ? "more" : entries.length + " values without seconds"));
        }
        List<Rate> rates = new ArrayList<>();
        for (String entry : entries) {
            int colon = entry.indexOf(':');
            double from = timed
                    ? number(entry, colon < 0 ? "" : entry.substring(0, colon), MOST_SECONDS)
                    : rates.size() * HOUR_S;
            if (!rates.isEmpty() && from <= rates.getLast().fromSeconds()) {
                throw new InvalidParameterException(
                        RATE_PROFILE,
                        "must have ascending seconds, got \"" + entry + "\" after "
                                + rates.getLast().fromSeconds());
            }
            rates.add(new Rate(from, number(entry, entry.substring(colon + 1), MOST_PER_S)));
        }
        if (rates.stream().allMatch(rate -> rate.requestsPerS() == 0)) {
            throw new InvalidParameterException(RATE_PROFILE, "must be above 0 in at least one interval");
        }
        return rates;
    }

    private static double number(String entry, String text, double most) {
        double number = text.matches(DECIMAL) ? Double.parseDouble(text) : -1;
        if (number >= 0 && number <= most) {
            return number;
        }
        throw new InvalidParameterException(
                RATE_PROFILE, "must have numbers from 0 to " + (long) most + ", got \"" + entry + "\"");
    }
}

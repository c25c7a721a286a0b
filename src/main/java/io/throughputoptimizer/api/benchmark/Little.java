package io.throughputoptimizer.api.benchmark;

import java.util.Locale;

/// Little's law: requests that are outstanding in the mean are those a second times the seconds of each.
final class Little {
    private Little() {}

    static String words(double perSecond, double seconds) {
        return String.format(
                Locale.ROOT,
                "requests came at a rate: %.2f outstanding in the mean by Little's law, %.4g requests/s x %.4g s",
                perSecond * seconds,
                perSecond,
                seconds);
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse.CheckResponse;
import io.throughputoptimizer.catalog.EngineOptions.Check;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The load under which a plan is to be seen: its lengths, and as many requests at once as its instances hold.
///
/// @param concurrency requests at once
record Benchmark(Served served, long concurrency) {
    /// So many times the concurrency are sent, so that the first wave does not count for much.
    private static final int WAVES = 10;

    /// So many times the concurrency are sent before it counts.
    private static final int WARM_UP_WAVES = 2;

    List<CheckResponse> of(List<Check> checks) {
        return checks.stream()
                .map(check -> new CheckResponse(check.tool(), command(check)))
                .toList();
    }

    private String command(Check check) {
        long shared = check.prefix() == null ? 0 : Math.round(served.meanInputTokens() * served.prefixShare());
        String command = Settings.filled(
                check.text(),
                Map.of(
                        "input",
                        served.meanInputTokens() - shared,
                        "output",
                        served.meanOutputTokens(),
                        "concurrency",
                        concurrency,
                        "prompts",
                        WAVES * concurrency,
                        "warmups",
                        WARM_UP_WAVES * concurrency));
        String prefixed = shared == 0 ? command : command + " " + check.prefix() + " " + shared;
        String limits = Stream.of(limit("ttft", served.ttftMillis()), limit("tpot", served.tpotMillis()))
                .filter(limit -> !limit.isEmpty())
                .collect(Collectors.joining(" "));
        return check.goodput() == null || limits.isEmpty() ? prefixed : prefixed + " " + check.goodput() + " " + limits;
    }

    private static String limit(String name, @Nullable Double millis) {
        return millis == null ? "" : name + ":" + Math.round(millis);
    }
}

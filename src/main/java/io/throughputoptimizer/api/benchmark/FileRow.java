package io.throughputoptimizer.api.benchmark;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values that a file has of one run.
///
/// @param place place of the run in the file, for people: `line 3`, `benchmark 2`, or `the file`
/// @param model name of the model; absent if the file has none
/// @param server other values of the server, by the parameters of [ServerParameters]
/// @param concurrency requests in flight; absent if the file does not say it
/// @param mean true if the concurrency is a mean, false if clients kept it
/// @param inputTokens mean input tokens of a request
/// @param outputTokens mean output tokens of a request
/// @param requests number of requests that succeeded; 0 if the file does not say it
/// @param tokensPerSecond output tokens per second
/// @param notes notes for people
record FileRow(
        String place,
        @Nullable String model,
        Map<String, String> server,
        @Nullable Double concurrency,
        boolean mean,
        @Nullable Double inputTokens,
        @Nullable Double outputTokens,
        double requests,
        @Nullable Double tpotMillis,
        @Nullable Double ttftMillis,
        @Nullable Double tokensPerSecond,
        List<String> notes) {
    FileRow {
        server = Map.copyOf(server);
        notes = List.copyOf(notes);
    }
}

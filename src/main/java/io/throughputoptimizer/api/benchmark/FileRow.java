package io.throughputoptimizer.api.benchmark;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a file says of one configuration.
///
/// @param place where it stands in the file, for people: `line 3`, `benchmark 2`, or `the file`
/// @param model as the file calls it; absent where it says nothing
/// @param server what else it says of the server, by the name that this is asked for by beside a file
/// @param concurrency outstanding requests; absent where it says nothing
/// @param mean whether that is a mean, and not what clients kept up
/// @param inputTokens mean of a request
/// @param outputTokens likewise
/// @param requests that were answered; 0 where it says nothing
/// @param tokensPerSecond output tokens
/// @param notes what to know about it
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

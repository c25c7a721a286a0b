package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.TraceReader.BrokenTrace;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Names of the lengths in a trace: columns of a header or members of objects. Dots join the names of nested
/// members.
///
/// @param format publisher of traces with these names, or `own` or `named`
/// @param input name of the input tokens
/// @param output name of the output tokens
public record LengthColumns(String format, String input, String output) {
    static final LengthColumns OWN = new LengthColumns("own", "input_tokens", "output_tokens");

    private static final String CREATED = "created";
    private static final String CREATED_IN_BATCH = "response.body.created";

    /// Possible names of times, used before the format of the trace is known.
    static final List<String> TIMES = List.of("timestamp", CREATED, CREATED_IN_BATCH, "start_time");

    /// An object of it has all lengths at once, as lists.
    static final LengthColumns VLLM_BENCH = new LengthColumns("vllm-bench", "input_lens", "output_lens");

    /// A failed request has an error, and no output tokens to count.
    static final LengthColumns INFERENCE_PERF =
            new LengthColumns("inference-perf", "info.input_tokens", "info.output_tokens");

    /// Its publisher gives requests that failed an answer of no tokens.
    private static final LengthColumns BURSTGPT = new LengthColumns("burstgpt", "Request tokens", "Response tokens");

    static final List<LengthColumns> KNOWN = List.of(
            OWN,
            new LengthColumns("mooncake", "input_length", "output_length"),
            new LengthColumns("azure", "ContextTokens", "GeneratedTokens"),
            BURSTGPT,
            new LengthColumns("openai", "prompt_tokens", "completion_tokens"),
            new LengthColumns("openai", "usage.prompt_tokens", "usage.completion_tokens"),
            new LengthColumns("openai", "response.body.usage.prompt_tokens", "response.body.usage.completion_tokens"),
            VLLM_BENCH,
            INFERENCE_PERF);

    /// Columns that the caller names, be they known or not.
    public static LengthColumns named(String input, String output) {
        return KNOWN.stream()
                .filter(known -> known.input().equals(input) && known.output().equals(output))
                .findFirst()
                .orElseGet(() -> new LengthColumns("named", input, output));
    }

    /// Returns the column of the arrival times.
    ///
    /// @return null if the format has none or is unknown
    @Nullable
    TimeColumn time() {
        return switch (format) {
            case "own" -> new TimeColumn("timestamp", TraceTime.DATE, false);
            case "mooncake" -> new TimeColumn("timestamp", TraceTime.MS, false);
            case "azure" -> new TimeColumn("TIMESTAMP", TraceTime.DATE, false);
            case "burstgpt" -> new TimeColumn("Timestamp", TraceTime.S, false);
            case "openai" ->
                new TimeColumn(input.startsWith("response.") ? CREATED_IN_BATCH : CREATED, TraceTime.S, false);
            case "inference-perf" -> new TimeColumn("start_time", TraceTime.S, false);
            default -> null;
        };
    }

    /// The column of a trace's arrival times.
    ///
    /// @param asked whether the caller names the column, so that each line needs a time
    public record TimeColumn(String name, TraceTime unit, boolean asked) {}

    /// Returns whether a request without output tokens is a failed one.
    boolean hasFailures() {
        return equals(BURSTGPT);
    }

    /// The one of the candidates that is there; its own before any other.
    ///
    /// @param candidates candidates in order of preference
    /// @param isThere whether there is something of a name
    /// @return null if no candidate has both names
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if which is meant cannot be told
    static @Nullable LengthColumns among(List<LengthColumns> candidates, Predicate<String> isThere, long line) {
        List<LengthColumns> found = candidates.stream()
                .filter(columns -> isThere.test(columns.input()) && isThere.test(columns.output()))
                .toList();
        if (found.size() > 1 && !found.contains(OWN)) {
            throw BrokenTrace.at(
                    line,
                    "must not have lengths twice, " + found.get(0).input() + " and "
                            + found.get(1).input() + ". Set input_column and output_column");
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /// Returns the missing name of the first candidate that has only one of its two, or the input name of a single
    /// candidate; null if several candidates have neither.
    static @Nullable String missing(List<LengthColumns> candidates, Predicate<String> isThere) {
        for (LengthColumns columns : candidates) {
            boolean input = isThere.test(columns.input());
            if (input || isThere.test(columns.output())) {
                return input ? columns.output() : columns.input();
            }
        }
        return candidates.size() == 1 ? candidates.getFirst().input() : null;
    }

    /// Describes a trace without known names of lengths.
    static String unknown(List<String> names) {
        return "must have lengths under a known name, got " + shown(names) + ". Set input_column and output_column";
    }

    private static String shown(List<String> names) {
        int most = 10;
        String first = String.join(
                ", ", names.stream().limit(most).map(TraceReader::shortened).toList());
        return names.isEmpty() ? "nothing" : first + (names.size() > most ? ", ..." : "");
    }
}

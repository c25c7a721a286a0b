package io.throughputoptimizer.api.trace;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Where the lines of a trace have lengths: columns of a header, or members of objects, those of objects within by
/// their path with dots.
///
/// @param format what publishes traces of these names, `own` or `named`
/// @param input name of what holds the tokens of a prompt
/// @param output name of what holds the tokens of its answer
public record LengthColumns(String format, String input, String output) {
    static final LengthColumns OWN = new LengthColumns("own", "input_tokens", "output_tokens");

    private static final String CREATED = "created";
    private static final String CREATED_IN_BATCH = "response.body.created";

    /// Where times may be, before it is known whose trace it is.
    static final List<String> TIMES = List.of("timestamp", CREATED, CREATED_IN_BATCH);

    /// An object of it has all lengths at once, as lists.
    static final LengthColumns VLLM_BENCH = new LengthColumns("vllm-bench", "input_lens", "output_lens");

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
            VLLM_BENCH);

    /// Columns that the caller names, be they known or not.
    public static LengthColumns named(String input, String output) {
        return KNOWN.stream()
                .filter(known -> known.input().equals(input) && known.output().equals(output))
                .findFirst()
                .orElseGet(() -> new LengthColumns("named", input, output));
    }

    /// Where the publisher says when a request came.
    ///
    /// @return none if it does not, or nobody knows
    @Nullable
    TimeColumn time() {
        return switch (format) {
            case "own" -> new TimeColumn("timestamp", TraceTime.DATE, false);
            case "mooncake" -> new TimeColumn("timestamp", TraceTime.MS, false);
            case "azure" -> new TimeColumn("TIMESTAMP", TraceTime.DATE, false);
            case "burstgpt" -> new TimeColumn("Timestamp", TraceTime.S, false);
            case "openai" ->
                new TimeColumn(input.startsWith("response.") ? CREATED_IN_BATCH : CREATED, TraceTime.S, false);
            default -> null;
        };
    }

    /// Where a trace says when its requests came.
    ///
    /// @param asked whether the caller names it, and each line needs it
    public record TimeColumn(String name, TraceTime unit, boolean asked) {}

    /// Whether an answer of no tokens is none.
    boolean hasFailures() {
        return equals(BURSTGPT);
    }

    /// The one of the candidates that is there; its own before any other.
    ///
    /// @param candidates in the order in which they are looked for
    /// @param isThere whether there is something of a name
    /// @return none if no candidate has both of its names there
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if which is meant cannot be told
    static @Nullable LengthColumns among(List<LengthColumns> candidates, Predicate<String> isThere, long line) {
        List<LengthColumns> found = candidates.stream()
                .filter(columns -> isThere.test(columns.input()) && isThere.test(columns.output()))
                .toList();
        if (found.size() > 1 && !found.contains(OWN)) {
            throw BrokenTrace.at(
                    line,
                    "has lengths twice, " + found.get(0).input() + " and "
                            + found.get(1).input() + ": `input_column` and `output_column` are needed");
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /// What the first candidate lacks of which one name is there.
    static @Nullable String missing(List<LengthColumns> candidates, Predicate<String> isThere) {
        for (LengthColumns columns : candidates) {
            boolean input = isThere.test(columns.input());
            if (input || isThere.test(columns.output())) {
                return input ? columns.output() : columns.input();
            }
        }
        return candidates.size() == 1 ? candidates.getFirst().input() : null;
    }

    /// Why nothing is known of a trace.
    static String unknown(List<String> names) {
        return "has no lengths under a known name, only " + shown(names)
                + ": `input_column` and `output_column` are needed";
    }

    private static String shown(List<String> names) {
        int most = 10;
        String first = String.join(
                ", ", names.stream().limit(most).map(TraceReader::shortened).toList());
        return names.isEmpty() ? "nothing" : first + (names.size() > most ? ", ..." : "");
    }
}

package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.trace.LengthColumns;
import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.api.trace.TraceReader.Delimiter;
import io.throughputoptimizer.api.trace.TraceReader.PromptBlocks;
import io.throughputoptimizer.api.trace.TraceTime;
import io.throughputoptimizer.core.workload.LengthBinning;
import io.throughputoptimizer.core.workload.LengthCounts;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Format of a trace and options of its analysis, from the parameters of the request.
public final class TraceParameters {
    public static final String DELIMITER = "delimiter";
    public static final String INPUT_COLUMN = "input_column";
    public static final String OUTPUT_COLUMN = "output_column";
    public static final String TIMESTAMP_COLUMN = "timestamp_column";
    public static final String TIMESTAMP_UNIT = "timestamp_unit";
    public static final String BLOCK_TOKENS = "block_tokens";
    public static final String CACHE_TOKENS = "cache_tokens";
    public static final String WEIGHT = "weight";
    public static final String WIDTH = "width";
    private static final long MOST_CACHE_TOKENS = 1_000_000_000_000L;

    private TraceParameters() {}

    public static @Nullable Delimiter delimiter(@Nullable String name) {
        if (name == null) {
            return null;
        }
        for (Delimiter delimiter : Delimiter.values()) {
            if (delimiter.name().toLowerCase(Locale.ROOT).equals(name)) {
                return delimiter;
            }
        }
        throw new InvalidParameterException(DELIMITER, "must be one of comma, semicolon, tab, got \"" + name + "\"");
    }

    public static @Nullable LengthColumns columns(@Nullable String input, @Nullable String output) {
        if (input == null && output == null) {
            return null;
        }
        LengthColumns columns = LengthColumns.named(column(INPUT_COLUMN, input), column(OUTPUT_COLUMN, output));
        if (columns.input().equalsIgnoreCase(columns.output())) {
            throw new InvalidParameterException(OUTPUT_COLUMN, "must differ from " + INPUT_COLUMN);
        }
        return columns;
    }

    public static @Nullable TimeColumn time(@Nullable String name, @Nullable String unit) {
        if (name == null) {
            if (unit != null) {
                throw new InvalidParameterException(TIMESTAMP_UNIT, "goes with " + TIMESTAMP_COLUMN + " only");
            }
            return null;
        }
        if (name.isBlank() || name.length() > Bounds.NAME) {
            throw new InvalidParameterException(TIMESTAMP_COLUMN, "must be 1 to " + Bounds.NAME + " characters");
        }
        for (TraceTime known : TraceTime.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(unit == null ? "date" : unit)) {
                return new TimeColumn(name.strip(), known, true);
            }
        }
        throw new InvalidParameterException(TIMESTAMP_UNIT, "must be one of date, s, ms, got \"" + unit + "\"");
    }

    private static String column(String parameter, @Nullable String name) {
        if (name == null || name.isBlank() || name.length() > Bounds.NAME) {
            throw new InvalidParameterException(
                    parameter,
                    (name == null ? "is required" : "must be 1 to " + Bounds.NAME + " characters") + ": set both "
                            + INPUT_COLUMN + " and " + OUTPUT_COLUMN);
        }
        return name.strip();
    }

    public static PromptBlocks blocks(@Nullable String tokens, @Nullable String cacheTokens) {
        int block = tokens == null
                ? PromptBlocks.UNSAID.tokens()
                : ParameterValue.asInt(BLOCK_TOKENS, tokens, 1, LengthCounts.MOST_TOKENS);
        Long cache = cacheTokens == null
                ? null
                : (Long) ParameterValue.asLong(CACHE_TOKENS, cacheTokens, 1, MOST_CACHE_TOKENS);
        return new PromptBlocks(block, cache, tokens != null || cache != null);
    }

    public static LengthBinning binning(String binning) {
        return switch (binning) {
            case WEIGHT -> LengthBinning.EQUAL_WEIGHT;
            case WIDTH -> LengthBinning.EQUAL_WIDTH;
            default ->
                throw new InvalidParameterException(
                        "binning", "must be one of " + WEIGHT + ", " + WIDTH + ", got \"" + binning + "\"");
        };
    }
}

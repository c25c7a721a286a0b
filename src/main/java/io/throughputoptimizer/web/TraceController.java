package io.throughputoptimizer.web;

import static io.throughputoptimizer.web.parameter.TraceParameters.BLOCK_TOKENS;
import static io.throughputoptimizer.web.parameter.TraceParameters.CACHE_TOKENS;
import static io.throughputoptimizer.web.parameter.TraceParameters.DELIMITER;
import static io.throughputoptimizer.web.parameter.TraceParameters.INPUT_COLUMN;
import static io.throughputoptimizer.web.parameter.TraceParameters.OUTPUT_COLUMN;
import static io.throughputoptimizer.web.parameter.TraceParameters.TIMESTAMP_COLUMN;
import static io.throughputoptimizer.web.parameter.TraceParameters.TIMESTAMP_UNIT;
import static io.throughputoptimizer.web.parameter.TraceParameters.WEIGHT;

import io.throughputoptimizer.api.result.measurement.TraceResponse;
import io.throughputoptimizer.api.trace.LengthColumns;
import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.api.trace.TraceReader;
import io.throughputoptimizer.api.trace.TraceReader.Delimiter;
import io.throughputoptimizer.api.trace.TraceReader.PromptBlocks;
import io.throughputoptimizer.api.trace.TraceReader.Spelling;
import io.throughputoptimizer.api.trace.TraceReader.Syntax;
import io.throughputoptimizer.core.workload.LengthBinning;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.parameter.TraceParameters;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Traces of lengths, read while they arrive; nothing is kept of them.
@RestController
class TraceController {
    static final String PATH = "/api/v1/length-distributions/from-trace";
    static final String JSON_LINES = "application/x-ndjson";
    static final String JSON_LINES_TOO = "application/jsonl";

    private static final String TABS = "text/tab-separated-values";
    private static final int MOST_BINS = 64;
    private static final String USUAL_BINS = "32";

    private final Uploads uploads;

    TraceController(Uploads uploads) {
        this.uploads = uploads;
    }

    @Reported
    @PostMapping(
            path = PATH,
            consumes = {ReportFormat.VALUES, TABS, JSON_LINES, JSON_LINES_TOO, MediaType.APPLICATION_JSON_VALUE})
    TraceResponse fromTrace(
            @RequestParam(defaultValue = USUAL_BINS) String bins,
            @RequestParam(defaultValue = WEIGHT) String binning,
            @RequestParam(name = DELIMITER, required = false) @Nullable String delimiter,
            @RequestParam(name = INPUT_COLUMN, required = false) @Nullable String inputColumn,
            @RequestParam(name = OUTPUT_COLUMN, required = false) @Nullable String outputColumn,
            @RequestParam(name = TIMESTAMP_COLUMN, required = false) @Nullable String timestampColumn,
            @RequestParam(name = TIMESTAMP_UNIT, required = false) @Nullable String timestampUnit,
            @RequestParam(name = BLOCK_TOKENS, required = false) @Nullable String blockTokens,
            @RequestParam(name = CACHE_TOKENS, required = false) @Nullable String cacheTokens,
            @RequestParam(defaultValue = "false") String requests,
            HttpServletRequest request) {
        int most = ParameterValue.asInt("bins", bins, 1, MOST_BINS);
        LengthBinning bounds = TraceParameters.binning(binning);
        Delimiter given = TraceParameters.delimiter(delimiter);
        LengthColumns columns = TraceParameters.columns(inputColumn, outputColumn);
        TimeColumn time = TraceParameters.time(timestampColumn, timestampUnit);
        PromptBlocks blocks = TraceParameters.blocks(blockTokens, cacheTokens);
        boolean recorded = ParameterValue.isTrue("requests", requests);
        return uploads.readUnpacked(request, "trace", (body, type) -> {
            Syntax syntax = syntax(type);
            if (syntax != Syntax.CSV && given != null) {
                throw new InvalidParameterException(DELIMITER, "goes with separated values only");
            }
            if (syntax == Syntax.CSV && blocks.asked()) {
                throw new InvalidParameterException(
                        cacheTokens == null ? BLOCK_TOKENS : CACHE_TOKENS,
                        "goes with JSON only, where hash_ids names the blocks of prompts");
            }
            Delimiter separator = given == null && is(type, TABS) ? Delimiter.TAB : given;
            return TraceResponse.of(
                    TraceReader.read(body, syntax, new Spelling(separator, columns, time, blocks)),
                    bounds,
                    most,
                    blocks,
                    recorded);
        });
    }

    private static Syntax syntax(@Nullable MediaType type) {
        if (is(type, ReportFormat.VALUES) || is(type, TABS)) {
            return Syntax.CSV;
        }
        return is(type, MediaType.APPLICATION_JSON_VALUE) ? Syntax.JSON : Syntax.JSON_LINES;
    }

    private static boolean is(@Nullable MediaType type, String name) {
        return type != null && MediaType.parseMediaType(name).equalsTypeAndSubtype(type);
    }
}

package io.throughputoptimizer.web;

import static io.throughputoptimizer.web.parameter.TraceParameters.BLOCK_TOKENS;
import static io.throughputoptimizer.web.parameter.TraceParameters.CACHE_TOKENS;
import static io.throughputoptimizer.web.parameter.TraceParameters.DELIMITER;
import static io.throughputoptimizer.web.parameter.TraceParameters.INPUT_COLUMN;
import static io.throughputoptimizer.web.parameter.TraceParameters.OUTPUT_COLUMN;
import static io.throughputoptimizer.web.parameter.TraceParameters.TIMESTAMP_COLUMN;
import static io.throughputoptimizer.web.parameter.TraceParameters.TIMESTAMP_UNIT;
import static io.throughputoptimizer.web.parameter.TraceParameters.WEIGHT;
import static io.throughputoptimizer.web.parameter.TraceParameters.WIDTH;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
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
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
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
@Tag(name = ApiTags.CATALOG)
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

    @Operation(
            operationId = "createDistributionFromTrace",
            summary = "Create a length distribution from a trace",
            description = "Converts a request trace into bins for `workload.length_distribution`, with"
                    + " quantiles and the binning error. Accepts CSV, also with semicolons or tabs: two"
                    + " numbers per line, or columns under a header. Accepts JSON: one object per line, or"
                    + " a list of objects. The service knows the columns `input_tokens` and"
                    + " `output_tokens`, and the names of Mooncake, Azure, BurstGPT, OpenAI usage,"
                    + " detailed results of `vllm bench` and requests of inference-perf. For other names, set `input_column` and"
                    + " `output_column`. `read_as` of the response names the format. Unknown columns are"
                    + " ignored. The body can be compressed by gzip. One invalid line rejects the trace;"
                    + " the error gives its number. Traces can be much longer than other bodies and are not"
                    + " stored. Responds with JSON, plain text, or the bins as CSV.")
    @ApiResponse(
            responseCode = "200",
            description = "The bins, and exact statistics.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = TraceResponse.class)))
    @InvalidRequestResponse
    @Reported
    @PostMapping(
            path = PATH,
            consumes = {ReportFormat.VALUES, TABS, JSON_LINES, JSON_LINES_TOO, MediaType.APPLICATION_JSON_VALUE})
    TraceResponse fromTrace(
            @Parameter(
                            description = "Maximum bins of inputs, and of outputs.",
                            example = "16",
                            schema =
                                    @Schema(type = "integer", minimum = "1", maximum = "64", defaultValue = USUAL_BINS))
                    @RequestParam(defaultValue = USUAL_BINS)
                    String bins,
            @Parameter(
                            description =
                                    "Property that bins share: `weight` (about the same number of requests) or `width`"
                                            + " (the same number of lengths).",
                            example = WIDTH)
                    @RequestParam(defaultValue = WEIGHT)
                    String binning,
            @Parameter(
                            description =
                                    "Separator of values: `comma`, `semicolon` or `tab`. Default: detected in the first"
                                            + " line.",
                            example = "semicolon")
                    @RequestParam(name = DELIMITER, required = false)
                    @Nullable
                    String delimiter,
            @Parameter(
                            description = "Column or JSON field of the input tokens; a path for nested objects, such"
                                    + " as `usage.prompt_tokens`. Requires `output_column`."
                                    + " Default: detected by name.",
                            example = "input_tokens")
                    @RequestParam(name = INPUT_COLUMN, required = false)
                    @Nullable
                    String inputColumn,
            @Parameter(description = "Column or field of the outputs, like `input_column`.", example = "output_tokens")
                    @RequestParam(name = OUTPUT_COLUMN, required = false)
                    @Nullable
                    String outputColumn,
            @Parameter(
                            description = "Column or JSON field of the arrival time, for `arrivals`. Every request"
                                    + " needs it. Default: the publisher's column, or `timestamp`"
                                    + " with dates.",
                            example = "timestamp")
                    @RequestParam(name = TIMESTAMP_COLUMN, required = false)
                    @Nullable
                    String timestampColumn,
            @Parameter(
                            description =
                                    "Unit of `timestamp_column`: `date` for dates with a time of day, in UTC by default;"
                                            + " `s` for seconds; `ms` for milliseconds.",
                            schema = @Schema(type = "string", defaultValue = "date"))
                    @RequestParam(name = TIMESTAMP_UNIT, required = false)
                    @Nullable
                    String timestampUnit,
            @Parameter(
                            description = "Tokens per block of `hash_ids`, for `prefix_cache`. Every request needs"
                                    + " `hash_ids`.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "999999", defaultValue = "512"))
                    @RequestParam(name = BLOCK_TOKENS, required = false)
                    @Nullable
                    String blockTokens,
            @Parameter(
                            description = "Size of a prefix cache in tokens. Sets `prefix_cache_hit_rate` of"
                                    + " the workloads to its hit rate. Every request needs `hash_ids`.",
                            example = "2000000",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "1000000000000"))
                    @RequestParam(name = CACHE_TOKENS, required = false)
                    @Nullable
                    String cacheTokens,
            @Parameter(
                            description =
                                    "True to list each request in `recorded_requests`, for simulations to replay.",
                            schema = @Schema(type = "boolean", defaultValue = "false"))
                    @RequestParam(defaultValue = "false")
                    String requests,
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

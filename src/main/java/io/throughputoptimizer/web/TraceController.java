package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.request.TraceReader;
import io.throughputoptimizer.api.request.TraceReader.Syntax;
import io.throughputoptimizer.api.result.TraceResponse;
import io.throughputoptimizer.core.workload.LengthBinning;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.description.Examples;
import io.throughputoptimizer.web.description.InvalidRequestResponse;
import io.throughputoptimizer.web.description.OpenApiConfiguration;
import io.throughputoptimizer.web.description.Reported;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Traces of lengths, read while they arrive; nothing is kept of them.
@RestController
@Tag(name = OpenApiConfiguration.CATALOGUE)
class TraceController {
    static final String PATH = "/api/v1/length-distributions/from-trace";
    static final String JSON_LINES = "application/x-ndjson";
    static final String JSON_LINES_TOO = "application/jsonl";

    private static final int MOST_BINS = 64;
    private static final String USUAL_BINS = "32";
    private static final String WEIGHT = "weight";
    private static final String WIDTH = "width";

    private final Uploads uploads;

    TraceController(Uploads uploads) {
        this.uploads = uploads;
    }

    @Operation(
            operationId = "binTrace",
            summary = "Make a length distribution of a trace",
            description =
                    "Input and output lengths of real requests, as comma-separated values or JSON lines, become bins"
                            + " for `workload.length_distribution`, with quantiles and what the bins lose. Values: two"
                            + " numbers a line, or columns under a header with `input_tokens` and `output_tokens`;"
                            + " JSON: both as members of each line's object. Other columns and members are passed"
                            + " over. A broken line is refused with its number, and with it the trace. The trace may"
                            + " be much longer than other bodies, is read while it arrives, and is not kept. As JSON,"
                            + " as tables in plain text, or the bins as comma-separated values.",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = ReportFormat.VALUES,
                                        schema = @Schema(type = "string"),
                                        examples =
                                                @ExampleObject(
                                                        name = "values",
                                                        summary = "Columns under a header",
                                                        value = Examples.TRACE_VALUES)),
                                @Content(
                                        mediaType = JSON_LINES,
                                        schema = @Schema(type = "string"),
                                        examples =
                                                @ExampleObject(
                                                        name = "json-lines",
                                                        summary = "An object a line",
                                                        value = Examples.TRACE_LINES))
                            }))
    @ApiResponse(
            responseCode = "200",
            description = "The bins, and what is exact.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = TraceResponse.class)))
    @InvalidRequestResponse
    @Reported
    @PostMapping(
            path = PATH,
            consumes = {ReportFormat.VALUES, JSON_LINES, JSON_LINES_TOO})
    TraceResponse fromTrace(
            @Parameter(
                            description = "Most bins of inputs, and of outputs.",
                            example = "16",
                            schema =
                                    @Schema(type = "integer", minimum = "1", maximum = "64", defaultValue = USUAL_BINS))
                    @RequestParam(defaultValue = USUAL_BINS)
                    String bins,
            @Parameter(
                            description = "What bins have alike: `weight`, about as many requests in each, or `width`,"
                                    + " as many lengths in each.",
                            example = WIDTH)
                    @RequestParam(defaultValue = WEIGHT)
                    String equal,
            HttpServletRequest request) {
        int most = most(bins);
        LengthBinning binning = binning(equal);
        return uploads.read(
                request,
                "trace",
                (body, type) -> TraceResponse.of(TraceReader.read(body, syntax(type)), binning, most));
    }

    private static Syntax syntax(@Nullable MediaType type) {
        return type != null && MediaType.parseMediaType(ReportFormat.VALUES).equalsTypeAndSubtype(type)
                ? Syntax.CSV
                : Syntax.JSON_LINES;
    }

    private static int most(String text) {
        try {
            int most = Integer.parseInt(text);
            if (most >= 1 && most <= MOST_BINS) {
                return most;
            }
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        throw new InvalidParameterException(
                "bins", "is \"" + text + "\": a whole number from 1 to " + MOST_BINS + " is needed");
    }

    private static LengthBinning binning(String equal) {
        return switch (equal) {
            case WEIGHT -> LengthBinning.EQUAL_WEIGHT;
            case WIDTH -> LengthBinning.EQUAL_WIDTH;
            default ->
                throw new InvalidParameterException(
                        "equal", "is \"" + equal + "\": one of " + WEIGHT + ", " + WIDTH + " is needed");
        };
    }
}

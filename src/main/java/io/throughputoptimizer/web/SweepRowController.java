package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.sweep.SweepCellResponse.Outcome;
import io.throughputoptimizer.api.sweep.SweepCellResponse.SweepPageResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse.SweepQuestionResponse;
import io.throughputoptimizer.api.sweep.SweepTableResponse;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.report.table.GridTable;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.sweep.SweepPivot;
import io.throughputoptimizer.sweep.SweepRows;
import io.throughputoptimizer.sweep.SweepStore;
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
import io.throughputoptimizer.web.description.ProblemResponses.UnknownNameResponse;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Rows of sweeps, as far as there are any yet.
@RestController
@Tag(name = ApiTags.SWEEPS)
@RequestMapping(path = SweepController.PATH + "/{id}")
class SweepRowController {
    private static final int LARGEST_PAGE = 1_000;
    private static final String ID = "Id of the sweep.";

    private final SweepLookup lookup;
    private final SweepStore store;

    SweepRowController(SweepLookup lookup, SweepStore store) {
        this.lookup = lookup;
        this.store = store;
    }

    @Operation(
            operationId = "listSweepCells",
            summary = "List the rows of a sweep",
            description = "Rows of finished chunks in cell order, also while the sweep runs. A page as JSON, or all"
                    + " rows as CSV or JSON lines. Values have the column names of the CSV of an"
                    + " optimization.")
    @ApiResponse(
            responseCode = "200",
            description = "The rows.",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = SweepPageResponse.class)),
                @Content(mediaType = ReportFormat.VALUES, schema = @Schema(type = "string")),
                @Content(mediaType = TraceController.JSON_LINES, schema = @Schema(type = "string"))
            })
    @InvalidRequestResponse
    @UnknownNameResponse
    @GetMapping(
            path = "/cells",
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.VALUES, TraceController.JSON_LINES})
    Streamed cells(
            @Parameter(description = ID) @PathVariable String id,
            @Parameter(description = "`next_cursor` of the previous page. JSON only.")
                    @RequestParam(required = false)
                    @Nullable
                    String cursor,
            @Parameter(
                            description = "Rows per page. JSON only.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "1000", defaultValue = "100"))
                    @RequestParam(defaultValue = "100")
                    String limit,
            @Parameter(
                            description = "Outcome of the cells to list.",
                            array =
                                    @ArraySchema(
                                            schema =
                                                    @Schema(
                                                            type = "string",
                                                            allowableValues = {
                                                                "answered",
                                                                "nothing",
                                                                "invalid",
                                                                "failed"
                                                            })))
                    @RequestParam(required = false)
                    @Nullable
                    List<String> outcome) {
        int first = first(cursor);
        int most = ParameterValue.asInt("limit", limit, 1, LARGEST_PAGE);
        Sweep sweep = lookup.find(id);
        SweepRows rows = new SweepRows(store, sweep, lookup.grid(lookup.request(sweep)), outcomes(outcome));
        Map<String, Streamed.Form> forms = new LinkedHashMap<>();
        forms.put(MediaType.APPLICATION_JSON_VALUE, writer -> writer.write(WireFormat.write(rows.page(first, most))));
        forms.put(ReportFormat.VALUES, rows::csv);
        forms.put(TraceController.JSON_LINES, rows::jsonLines);
        return new Streamed(forms);
    }

    private static int first(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        try {
            return ParameterValue.asInt("cursor", cursor, 0, Integer.MAX_VALUE);
        } catch (InvalidParameterException _) {
            throw new InvalidParameterException(
                    "cursor", "must be next_cursor of an earlier page, got \"" + cursor + "\"");
        }
    }

    private static Set<Outcome> outcomes(@Nullable List<String> names) {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        for (String name : names == null ? List.<String>of() : names) {
            outcomes.add(Arrays.stream(Outcome.values())
                    .filter(known -> WireFormat.name(known).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new InvalidParameterException(
                            "outcome",
                            "must be one of "
                                    + Arrays.stream(Outcome.values())
                                            .map(WireFormat::name)
                                            .collect(Collectors.joining(", "))
                                    + ", got \"" + name + "\"")));
        }
        return outcomes.isEmpty() ? EnumSet.allOf(Outcome.class) : outcomes;
    }

    @Operation(
            operationId = "getSweepCell",
            summary = "Get a cell of a sweep",
            description = "The request of the cell, as for `POST /api/v1/optimizations`, and its row.")
    @ApiResponse(responseCode = "200", description = "The cell.")
    @InvalidRequestResponse
    @UnknownNameResponse
    @GetMapping(path = "/cells/{cell}", produces = MediaType.APPLICATION_JSON_VALUE)
    SweepQuestionResponse cell(
            @Parameter(description = ID) @PathVariable String id,
            @Parameter(description = "Number of the cell, from 0.", schema = @Schema(type = "integer", minimum = "0"))
                    @PathVariable
                    String cell) {
        SweepRows rows = lookup.rows(lookup.find(id));
        int number = ParameterValue.asInt("cell", cell, 0, rows.grid().cells() - 1);
        try {
            return new SweepQuestionResponse(
                    number,
                    rows.grid().coordinates(number),
                    rows.grid().request(number),
                    rows.row(number).orElse(null));
        } catch (InvalidRequestException e) {
            throw new InvalidParameterException(
                    "cell", "is no question: " + e.violations().getFirst().message());
        }
    }

    @Operation(
            operationId = "getSweepTable",
            summary = "Get a table of a sweep",
            description = "Available as JSON with cell numbers, plain text or CSV.")
    @ApiResponse(
            responseCode = "200",
            description = "The table.",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = SweepTableResponse.class)),
                @Content(mediaType = ReportFormat.PLAIN, schema = @Schema(type = "string")),
                @Content(mediaType = ReportFormat.VALUES, schema = @Schema(type = "string"))
            })
    @InvalidRequestResponse
    @UnknownNameResponse
    @GetMapping(
            path = "/table",
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN, ReportFormat.VALUES})
    Streamed table(
            @Parameter(description = ID) @PathVariable String id,
            @Parameter(description = "Label of the row axis.") @RequestParam String rows,
            @Parameter(description = "Label of the column axis. Default: a single column.")
                    @RequestParam(required = false)
                    @Nullable
                    String columns,
            @Parameter(
                            description = "Name of a column of the rows' CSV: a value such as `token/s` or"
                                    + " `num_devices`, `outcome` or `why`.",
                            example = "tokens_per_s")
                    @RequestParam
                    String metric,
            @Parameter(description = "Value of another axis, as `LABEL=VALUE`. One for each other axis.")
                    @RequestParam(required = false)
                    @Nullable
                    List<String> filter,
            @Parameter(
                            description = "Phase of the value, for rows with several: `prefill` or `decode`."
                                    + " Default: the first phase with the value.")
                    @RequestParam(required = false)
                    @Nullable
                    String phase) {
        SweepRows all = lookup.rows(lookup.find(id));
        SweepTableResponse found;
        try {
            found = new SweepPivot(rows, columns, metric, phase, fixed(filter)).of(all);
        } catch (SweepPivot.ImpossibleException e) {
            throw new InvalidParameterException(e.parameter(), String.valueOf(e.getMessage()));
        }
        GridTable table = SweepPivot.drawn(found);
        Map<String, Streamed.Form> forms = new LinkedHashMap<>();
        forms.put(MediaType.APPLICATION_JSON_VALUE, writer -> writer.write(WireFormat.write(found)));
        forms.put(ReportFormat.PLAIN, writer -> writer.write(table.text()));
        forms.put(ReportFormat.VALUES, writer -> writer.write(table.csv()));
        return new Streamed(forms);
    }

    private static Map<String, String> fixed(@Nullable List<String> filters) {
        Map<String, String> fixed = new LinkedHashMap<>();
        for (String one : filters == null ? List.<String>of() : filters) {
            int sign = one.indexOf('=');
            if (sign <= 0) {
                throw new InvalidParameterException("filter", "must be LABEL=VALUE, got \"" + one + "\"");
            }
            fixed.put(one.substring(0, sign), one.substring(sign + 1));
        }
        return fixed;
    }
}

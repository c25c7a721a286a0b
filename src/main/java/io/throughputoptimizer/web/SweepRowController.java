package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.sweep.SweepCellResponse.Outcome;
import io.throughputoptimizer.api.sweep.SweepCellResponse.SweepQuestionResponse;
import io.throughputoptimizer.api.sweep.SweepTableResponse;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.report.table.GridTable;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.sweep.SweepPivot;
import io.throughputoptimizer.sweep.SweepRows;
import io.throughputoptimizer.sweep.SweepStore;
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
@RequestMapping(path = SweepController.PATH + "/{id}")
class SweepRowController {
    private static final int LARGEST_PAGE = 1_000;

    private final SweepLookup lookup;
    private final SweepStore store;

    SweepRowController(SweepLookup lookup, SweepStore store) {
        this.lookup = lookup;
        this.store = store;
    }

    @GetMapping(
            path = "/cells",
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.VALUES, TraceController.JSON_LINES})
    Streamed cells(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") String limit,
            @RequestParam(required = false) @Nullable List<String> outcome) {
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

    @GetMapping(path = "/cells/{cell}", produces = MediaType.APPLICATION_JSON_VALUE)
    SweepQuestionResponse cell(@PathVariable String id, @PathVariable String cell) {
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

    @GetMapping(
            path = "/table",
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN, ReportFormat.VALUES})
    Streamed table(
            @PathVariable String id,
            @RequestParam String rows,
            @RequestParam(required = false) @Nullable String columns,
            @RequestParam String metric,
            @RequestParam(required = false) @Nullable List<String> filter,
            @RequestParam(required = false) @Nullable String phase) {
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

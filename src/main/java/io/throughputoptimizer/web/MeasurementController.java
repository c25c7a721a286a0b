package io.throughputoptimizer.web;

import io.throughputoptimizer.api.benchmark.ResultFormats;
import io.throughputoptimizer.api.benchmark.ResultFormats.ResultFile;
import io.throughputoptimizer.api.benchmark.ServerParameters;
import io.throughputoptimizer.api.benchmark.ServerParameters.FileRequest;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.MeasurementReader;
import io.throughputoptimizer.api.reading.MeasurementReader.Compared;
import io.throughputoptimizer.api.request.MeasurementRequest;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse.MeasurementListResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.measurement.MeasurementTable;
import io.throughputoptimizer.measurement.Measurements;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.parameter.JobQuery;
import io.throughputoptimizer.web.parameter.TakesParameters;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import io.throughputoptimizer.web.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Benchmark results of callers' own servers.
@RestController
class MeasurementController {
    static final String PATH = "/api/v1/measurements";
    static final String FILES = PATH + "/from-file";

    private final RequestValidator validator;
    private final MeasurementReader reader;
    private final MeasurementTable table;
    private final Measurements measurements;
    private final Uploads uploads;
    private final ResultFormats formats;

    MeasurementController(
            RequestValidator validator,
            MeasurementReader reader,
            MeasurementTable table,
            Measurements measurements,
            Uploads uploads,
            ResultFormats formats) {
        this.validator = validator;
        this.reader = reader;
        this.table = table;
        this.measurements = measurements;
        this.uploads = uploads;
        this.formats = formats;
    }

    @PostMapping(
            path = PATH,
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<MeasurementResponse> bring(@RequestBody MeasurementRequest request) {
        return taken(compared(request), Measurements.ROWS);
    }

    @TakesParameters({
        "model_id",
        "served_model",
        "device",
        "backend",
        "version",
        "scheme",
        "linear",
        "attention",
        "kv_cache_dtype",
        "tp",
        "dp",
        "ep",
        "replicas",
        "concurrency",
        "input_length",
        "output_length"
    })
    @PostMapping(
            path = FILES,
            consumes = {
                MediaType.APPLICATION_JSON_VALUE,
                TraceController.JSON_LINES,
                TraceController.JSON_LINES_TOO,
                MediaType.APPLICATION_YAML_VALUE,
                ReportFormat.VALUES,
                ReportFormat.PLAIN
            },
            produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<MeasurementResponse> bringFile(HttpServletRequest request) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String name : ServerParameters.NAMES) {
            String value = request.getParameter(name);
            if (value != null) {
                given.put(name, value);
            }
        }
        ResultFile file = uploads.read(request, "file of results", this::resultFile);
        try {
            FileRequest fileRequest = new ServerParameters(given).with(file);
            return taken(compared(fileRequest), file.tool());
        } catch (ServerParameters.InvalidException e) {
            throw new InvalidParameterException(e.parameter(), String.valueOf(e.getMessage()));
        }
    }

    private ResultFile resultFile(InputStream body, @Nullable MediaType type) throws IOException {
        if (MediaType.APPLICATION_YAML.equalsTypeAndSubtype(type)) {
            return formats.yaml(body);
        }
        if (MediaType.TEXT_PLAIN.equalsTypeAndSubtype(type)) {
            return formats.text(body);
        }
        return MediaType.parseMediaType(ReportFormat.VALUES).equalsTypeAndSubtype(type)
                ? formats.csv(body)
                : formats.json(body);
    }

    private Compared compared(MeasurementRequest request) {
        validator.check(request);
        return reader.read(request);
    }

    private Compared compared(FileRequest fileRequest) {
        try {
            return compared(fileRequest.request()).with(fileRequest.notes());
        } catch (InvalidRequestException e) {
            throw fileRequest.located(e);
        }
    }

    private ResponseEntity<MeasurementResponse> taken(Compared compared, String source) {
        MeasurementResponse taken =
                measurements.take(compared, source, Caller.current().owner(), Caller.currentId());
        return ResponseEntity.created(URI.create(PATH + "/" + taken.id())).body(taken);
    }

    @GetMapping(path = PATH, produces = MediaType.APPLICATION_JSON_VALUE)
    MeasurementListResponse list(
            @RequestParam(defaultValue = JobQuery.DEFAULT_PAGE) String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        int most = JobQuery.limit(limit);
        UUID before = JobQuery.before(cursor);
        Page<MeasurementResponse> page = table.list(Caller.current().onlyOwner(), before, most);
        return new MeasurementListResponse(page.entries(), page.cursor());
    }

    @GetMapping(path = PATH + "/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    MeasurementResponse get(@PathVariable String id) {
        return table.find(visible(id).id()).orElseThrow(MeasurementController::unknown);
    }

    @DeleteMapping(path = PATH + "/{id}")
    ResponseEntity<Void> delete(@PathVariable String id) {
        MeasurementTable.Standing set = visible(id);
        if (!Caller.current().mayEnd(set.owner())) {
            throw ProblemException.notOwnMeasurements();
        }
        table.remove(set.id());
        return ResponseEntity.noContent().build();
    }

    /// Returns a set if the caller can see it; otherwise it does not exist for the caller.
    private MeasurementTable.Standing visible(String id) {
        return JobLookup.parse(id)
                .flatMap(table::standing)
                .filter(set -> Caller.current().maySee(set.owner()))
                .orElseThrow(MeasurementController::unknown);
    }

    private static ProblemException unknown() {
        return ProblemException.notFound("There are no measurements of this id.");
    }
}

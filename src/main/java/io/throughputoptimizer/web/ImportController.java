package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.imported.ImportResponse;
import io.throughputoptimizer.api.imported.ImportResponse.ExperimentResponse;
import io.throughputoptimizer.api.imported.ImportedFile;
import io.throughputoptimizer.api.imported.ImportedRequest;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.web.bound.LongWorkThreads;
import io.throughputoptimizer.web.description.InvalidRequestResponse;
import io.throughputoptimizer.web.description.OpenApiConfiguration;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Files of other tools as requests; nothing is kept of them.
@RestController
@Tag(name = OpenApiConfiguration.OPTIMIZATIONS)
class ImportController {
    private final RequestValidator validator;
    private final ProblemReader problems;
    private final LongWorkThreads threads;

    ImportController(RequestValidator validator, ProblemReader problems, LongWorkThreads threads) {
        this.validator = validator;
        this.problems = problems;
        this.threads = threads;
    }

    @Operation(
            operationId = "importExperiments",
            summary = "Turn experiments of AIConfigurator into requests",
            description =
                    "Experiments of its command line (`exps` and an object for each), or a request for a prediction"
                            + " (`schema_version: aic-estimate-request/1.0.0`), as YAML or JSON, become bodies for"
                            + " `POST /api/v1/optimizations`. Members without a counterpart are named with the reason, as is"
                            + " what had to be assumed. Nothing is searched or kept.",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = MediaType.APPLICATION_YAML_VALUE,
                                        schema = @Schema(type = "object"),
                                        examples =
                                                @ExampleObject(
                                                        name = "experiments",
                                                        summary = "One experiment",
                                                        value = "examples/experiments.yaml")),
                                @Content(
                                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                                        schema = @Schema(type = "object"),
                                        examples =
                                                @ExampleObject(
                                                        name = "experiments",
                                                        summary = "One experiment",
                                                        value = "examples/experiments-as-json.json"))
                            }))
    @ApiResponse(
            responseCode = "200",
            description = "The requests.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = ImportResponse.class)))
    @InvalidRequestResponse
    @PostMapping(
            path = "/api/v1/import",
            consumes = {MediaType.APPLICATION_YAML_VALUE, MediaType.APPLICATION_JSON_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    ImportResponse imported(@RequestBody ImportedFile file) {
        return threads.end(() -> new ImportResponse(file.experiments().stream()
                .map(read -> ExperimentResponse.of(read, refused(read)))
                .toList()));
    }

    private List<Violation> refused(ImportedRequest read) {
        try {
            OptimizationRequest request = WireFormat.read(WireFormat.write(read.request()), OptimizationRequest.class);
            validator.check(request);
            problems.question(request);
            return List.of();
        } catch (InvalidRequestException e) {
            return e.violations();
        }
    }
}

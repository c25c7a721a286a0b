package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.EstimateReader;
import io.throughputoptimizer.api.EstimateRequest;
import io.throughputoptimizer.api.EstimateResponse;
import io.throughputoptimizer.api.RequestValidator;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Forward passes, priced one at a time.
@RestController
@Tag(name = OpenApiConfiguration.ESTIMATES)
@RequestMapping(path = "/api/v1/estimates", produces = MediaType.APPLICATION_JSON_VALUE)
class EstimateController {
    private final RequestValidator validator;
    private final EstimateReader passes;
    private final AnalyticForwardEstimator estimator;

    EstimateController(RequestValidator validator, EstimateReader passes, AnalyticForwardEstimator estimator) {
        this.validator = validator;
        this.passes = passes;
        this.estimator = estimator;
    }

    @Operation(
            operationId = "estimatePass",
            summary = "Price one forward pass",
            description = "Latency, memory and every operator of one pass on its slowest rank. Operator times add up to"
                    + " the latency.",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                                        schema = @Schema(implementation = EstimateRequest.class),
                                        examples = {
                                            @ExampleObject(
                                                    name = "prefill",
                                                    summary = "Two equal prompts",
                                                    value = Examples.PREFILL_PASS),
                                            @ExampleObject(
                                                    name = "mixed-prefill",
                                                    summary = "Prompts of unequal length on one data parallel rank",
                                                    value = Examples.MIXED_PASS)
                                        }),
                                @Content(
                                        mediaType = MediaType.APPLICATION_YAML_VALUE,
                                        schema = @Schema(implementation = EstimateRequest.class),
                                        examples =
                                                @ExampleObject(
                                                        name = "decode",
                                                        summary = "A decode step",
                                                        value = Examples.DECODE_PASS))
                            }))
    @ApiResponse(responseCode = "200", description = "What the pass costs.")
    @InvalidRequestResponse
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    EstimateResponse estimate(@RequestBody EstimateRequest request) {
        validator.check(request);
        EstimateReader.Pass pass = passes.read(request);
        return EstimateResponse.from(estimator.price(pass.deployment(), pass.shape()));
    }
}

package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.reading.SimulationReader;
import io.throughputoptimizer.api.reading.SimulationReader.Simulation;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.api.result.estimate.SimulationResponse;
import io.throughputoptimizer.api.result.estimate.SimulationResponse.AnsweredSimulation;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.AtOnceThreads.SimulationThreads;
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
import io.throughputoptimizer.web.description.Reported;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Single configurations under load, simulated request by request.
@RestController
@Tag(name = ApiTags.SIMULATIONS)
@RequestMapping("/api/v1/simulations")
class SimulationController {
    private final RequestValidator validator;
    private final SimulationReader reader;
    private final SimulationThreads threads;

    SimulationController(RequestValidator validator, SimulationReader reader, SimulationThreads threads) {
        this.validator = validator;
        this.reader = reader;
        this.threads = threads;
    }

    @Operation(
            operationId = "createSimulation",
            summary = "Simulate a configuration under load",
            description = "Mean and percentiles of TTFT and TPOT of one configuration, with prediction"
                    + " intervals and a timeline. Load is a concurrency (closed loop) or a request rate"
                    + " (open loop). With `pair`, prefill instances feed decode instances. A rate above"
                    + " saturation is rejected with the highest rate below it. As JSON, plain text or CSV."
                    + " The CSV has a header and one line, without the timeline.")
    @ApiResponse(
            responseCode = "200",
            description = "Latencies and throughput.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = SimulationResponse.class)))
    @InvalidRequestResponse
    @Reported
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    AnsweredSimulation simulate(@RequestBody SimulationRequest asked) throws InterruptedException {
        SimulationRequest request = reader.named(asked);
        validator.check(request);
        Simulation simulation = reader.read(request);
        return new AnsweredSimulation(
                request,
                SimulationResponse.from(
                        simulation,
                        threads.run(
                                Caller.currentId(),
                                checkpoint -> simulation.simulated().run(simulation.coverage(), checkpoint))));
    }
}

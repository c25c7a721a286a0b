package io.throughputoptimizer.web;

import io.throughputoptimizer.api.reading.SimulationReader;
import io.throughputoptimizer.api.reading.SimulationReader.Simulation;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.api.result.estimate.SimulationResponse;
import io.throughputoptimizer.api.result.estimate.SimulationResponse.AnsweredSimulation;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.AtOnceThreads.SimulationThreads;
import io.throughputoptimizer.web.description.Reported;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Single configurations under load, simulated request by request.
@RestController
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

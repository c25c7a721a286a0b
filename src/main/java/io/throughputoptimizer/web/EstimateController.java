package io.throughputoptimizer.web;

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

    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    EstimateResponse estimate(@RequestBody EstimateRequest request) {
        validator.check(request);
        EstimateReader.Pass pass = passes.read(request);
        return EstimateResponse.from(estimator.price(pass.deployment(), pass.shape()));
    }
}

package io.throughputoptimizer.web;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.EstimateReader;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.SubmittedEstimate;
import io.throughputoptimizer.api.result.estimate.CalibratedEstimateResponse;
import io.throughputoptimizer.api.result.estimate.EstimateResponse;
import io.throughputoptimizer.api.result.estimate.PricedPassResponse;
import io.throughputoptimizer.api.result.estimate.PricedPassResponse.MemoryEstimateResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
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
    PricedPassResponse estimate(@RequestBody SubmittedEstimate asked) {
        EstimateRequest request = passes.resolved(asked);
        validator.check(request);
        PricedPassResponse priced = priced(request);
        return passes.choice(asked).map(choice -> priced.with(choice.text())).orElse(priced);
    }

    private PricedPassResponse priced(EstimateRequest request) {
        return switch (request.costModel()) {
            case ANALYTIC, AUTO -> {
                EstimateReader.Pass pass = passes.read(request);
                yield EstimateResponse.from(
                        estimator.price(pass.deployment(), pass.shape()),
                        pass.shape(),
                        pass.deployment(),
                        request.quantization().isOfCheckpoint(),
                        request.deviceProfile() != null);
            }
            case CALIBRATED -> calibrated(request);
        };
    }

    /// Memory alone where no kernels are measured.
    private PricedPassResponse calibrated(EstimateRequest request) {
        try {
            return CalibratedEstimateResponse.from(passes.readCalibrated(request));
        } catch (InvalidRequestException unpriced) {
            return MemoryEstimateResponse.from(passes.readMemory(request, unpriced));
        }
    }
}

package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.result.catalog.AccuracyResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.MeasuredServers;
import io.throughputoptimizer.catalog.StartupLogs;
import io.throughputoptimizer.web.description.ApiTags;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Errors of the calibrated model against measured servers.
@RestController
@Tag(name = ApiTags.CATALOG)
@RequestMapping(path = "/api/v1/accuracy", produces = MediaType.APPLICATION_JSON_VALUE)
class AccuracyController {
    /// Made for the first caller: a thousand servers are read and modelled.
    private final SingletonSupplier<AccuracyResponse> accuracy;

    AccuracyController(Catalogs catalogs) {
        this.accuracy = SingletonSupplier.of(
                () -> AccuracyResponse.of(MeasuredServers.read(catalogs), StartupLogs.read(catalogs)));
    }

    @Operation(
            operationId = "getAccuracy",
            summary = "Get the accuracy of cost model `calibrated`",
            description = "Prediction errors on measured servers, per model, device and engine, with the coverage of"
                    + " prediction intervals. Lists every server with its measured and predicted"
                    + " values. `startup_logs` compares the memory in public start-up logs with its"
                    + " prediction. Benchmarks come from others, predictions from this service.")
    @ApiResponse(responseCode = "200", description = "Measured and predicted values.")
    @GetMapping
    AccuracyResponse accuracy() {
        return accuracy.obtain();
    }
}

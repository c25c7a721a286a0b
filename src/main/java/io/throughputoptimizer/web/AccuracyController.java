package io.throughputoptimizer.web;

import io.throughputoptimizer.api.result.catalog.AccuracyResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.MeasuredServers;
import io.throughputoptimizer.catalog.StartupLogs;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Errors of the calibrated model against measured servers.
@RestController
@RequestMapping(path = "/api/v1/accuracy", produces = MediaType.APPLICATION_JSON_VALUE)
class AccuracyController {
    /// Made for the first caller: a thousand servers are read and modelled.
    private final SingletonSupplier<AccuracyResponse> accuracy;

    AccuracyController(Catalogs catalogs) {
        this.accuracy = SingletonSupplier.of(
                () -> AccuracyResponse.of(MeasuredServers.read(catalogs), StartupLogs.read(catalogs)));
    }

    @GetMapping
    AccuracyResponse accuracy() {
        return accuracy.obtain();
    }
}

package io.throughputoptimizer.web;

import io.throughputoptimizer.api.DistributionResponse;
import io.throughputoptimizer.api.ModelResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.catalog.NearestNames;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Devices, models and length distributions that requests may name.
@RestController
@RequestMapping(path = "/api/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class CatalogController {
    private final Catalogs catalogs;

    CatalogController(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// All devices.
    record DeviceListResponse(List<DeviceDocument> devices) {}

    /// All models.
    record ModelListResponse(List<ModelResponse> models) {}

    @GetMapping("/devices")
    DeviceListResponse devices() {
        return new DeviceListResponse(catalogs.devices().names().stream()
                .flatMap(name -> catalogs.deviceDocument(name).stream())
                .toList());
    }

    @GetMapping("/devices/{name}")
    DeviceDocument device(@PathVariable String name) {
        return catalogs.deviceDocument(name)
                .orElseThrow(() -> unknown("device", name, catalogs.devices().names()));
    }

    @GetMapping("/models")
    ModelListResponse models() {
        return new ModelListResponse(
                catalogs.models().all().stream().map(ModelResponse::from).toList());
    }

    @GetMapping("/models/{owner}/{name}")
    ModelResponse model(@PathVariable String owner, @PathVariable String name) {
        String id = owner + "/" + name;
        return catalogs.models()
                .find(id)
                .map(ModelResponse::from)
                .orElseThrow(() -> unknown("model", id, catalogs.models().ids()));
    }

    @GetMapping("/length-distributions/{name}")
    DistributionResponse lengthDistribution(@PathVariable String name) {
        return Optional.ofNullable(catalogs.lengthDistributions().get(name))
                .map(distribution -> DistributionResponse.from(name, distribution))
                .orElseThrow(() -> unknown(
                        "length distribution",
                        name,
                        catalogs.lengthDistributions().keySet()));
    }

    private static ProblemException unknown(String kind, String name, Collection<String> names) {
        return ProblemException.notFound(NearestNames.message(kind, name, names));
    }
}

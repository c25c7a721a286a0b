package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions;
import io.throughputoptimizer.api.request.SearchRequest.Strategy;
import io.throughputoptimizer.api.result.catalog.ModelPricing;
import io.throughputoptimizer.api.result.catalog.ModelResponse;
import io.throughputoptimizer.api.result.measurement.DistributionResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.web.problem.ProblemException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
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
    private final ModelPricing pricing;
    /// Made when they are asked for: the catalogue does not change.
    private final Map<String, ModelResponse> models = new ConcurrentHashMap<>();

    CatalogController(Catalogs catalogs) {
        this.catalogs = catalogs;
        this.pricing = new ModelPricing(
                catalogs.calibrations().values(), catalogs.engines().values());
    }

    private ModelResponse response(ModelArchitecture model) {
        return models.computeIfAbsent(model.id(), _ -> ModelResponse.from(model, pricing));
    }

    /// All devices.
    @Schema(name = "DeviceList", description = "All devices.")
    record DeviceListResponse(
            @Schema(description = "Devices of the catalog, without calibrations.")
            List<DeviceDocument> devices,

            @Schema(description = "Names of devices with a calibration.")
            List<String> calibrated) {}

    /// All models.
    @Schema(name = "ModelList", description = "All models.")
    record ModelListResponse(
            @Schema(description = "Models of the catalog.") List<ModelResponse> models) {}

    /// All length distributions.
    @Schema(name = "LengthDistributionList", description = "All length distributions.")
    record DistributionListResponse(
            @Schema(description = "Length distributions of the catalog.")
            List<DistributionResponse> lengthDistributions) {}

    /// Values of fields with a fixed list.
    @Schema(name = "Capabilities", description = "Values that requests can have in fields with a fixed list.")
    record CapabilitiesResponse(
            @Schema(description = "Values of `search.strategy`, the default first.")
            List<Strategy> strategies,

            @Schema(description = "Values of `formats` of autoscaler parameters, the default first.")
            List<String> autoscalingFormats) {}

    @GetMapping("/capabilities")
    CapabilitiesResponse capabilities() {
        return new CapabilitiesResponse(
                List.of(Strategy.values()),
                Stream.of(AutoscalingOptions.Format.values())
                        .map(AutoscalingOptions.Format::wireName)
                        .toList());
    }

    @GetMapping("/devices")
    DeviceListResponse devices() {
        return new DeviceListResponse(
                catalogs.devices().names().stream()
                        .flatMap(name -> catalogs.deviceDocument(name).stream())
                        .map(DeviceDocument::withoutCalibration)
                        .toList(),
                List.copyOf(catalogs.calibrations().keySet()));
    }

    @GetMapping("/devices/{name}")
    DeviceDocument device(@PathVariable String name) {
        return catalogs.deviceDocument(name)
                .orElseThrow(() -> unknown("device", name, catalogs.devices().namesAndAliases()));
    }

    @GetMapping("/models")
    ModelListResponse models() {
        return new ModelListResponse(
                catalogs.models().all().stream().map(this::response).toList());
    }

    @GetMapping("/models/{owner}/{name}")
    ModelResponse model(@PathVariable String owner, @PathVariable String name) {
        String id = owner + "/" + name;
        return catalogs.models()
                .find(id)
                .map(this::response)
                .orElseThrow(() -> unknown("model", id, catalogs.models().ids()));
    }

    @GetMapping("/length-distributions")
    DistributionListResponse lengthDistributions() {
        return new DistributionListResponse(catalogs.lengthDistributions().entrySet().stream()
                .map(named -> DistributionResponse.from(named.getKey(), named.getValue()))
                .toList());
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

package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
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
@Tag(name = OpenApiConfiguration.CATALOGUE)
@RequestMapping(path = "/api/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class CatalogController {
    private final Catalogs catalogs;

    CatalogController(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// All devices.
    @Schema(name = "DeviceList", description = "All devices.")
    record DeviceListResponse(
            @Schema(description = "Every device of the catalogue.")
            List<DeviceDocument> devices) {}

    /// All models.
    @Schema(name = "ModelList", description = "All models.")
    record ModelListResponse(
            @Schema(description = "Every model of the catalogue.")
            List<ModelResponse> models) {}

    @Operation(
            operationId = "listDevices",
            summary = "List devices",
            description =
                    "Every device that requests may name. Carries an `ETag`; `If-None-Match` answers 304 while nothing"
                            + " changed.")
    @ApiResponse(responseCode = "200", description = "The devices.")
    @GetMapping("/devices")
    DeviceListResponse devices() {
        return new DeviceListResponse(catalogs.devices().names().stream()
                .flatMap(name -> catalogs.deviceDocument(name).stream())
                .toList());
    }

    @Operation(
            operationId = "getDevice",
            summary = "Get a device",
            description =
                    "Peaks, efficiencies, links, and what is reached in the end. May be sent back as an inline profile. Carries an `ETag`; `If-None-Match` answers 304 while nothing changed.")
    @ApiResponse(responseCode = "200", description = "The device.")
    @UnknownNameResponse
    @GetMapping("/devices/{name}")
    DeviceDocument device(
            @Parameter(description = "Name of the device.", example = "TEST_DEVICE") @PathVariable String name) {
        return catalogs.deviceDocument(name)
                .orElseThrow(() -> unknown("device", name, catalogs.devices().names()));
    }

    @Operation(
            operationId = "listModels",
            summary = "List models",
            description =
                    "Every model that requests may name. Carries an `ETag`; `If-None-Match` answers 304 while nothing"
                            + " changed.")
    @ApiResponse(responseCode = "200", description = "The models.")
    @GetMapping("/models")
    ModelListResponse models() {
        return new ModelListResponse(
                catalogs.models().all().stream().map(ModelResponse::from).toList());
    }

    @Operation(
            operationId = "getModel",
            summary = "Get a model",
            description =
                    "Facts that its cost depends on, and what can be asked of it. Carries an `ETag`; `If-None-Match` answers 304 while nothing changed.")
    @ApiResponse(responseCode = "200", description = "The model.")
    @UnknownNameResponse
    @GetMapping("/models/{owner}/{name}")
    ModelResponse model(
            @Parameter(description = "First part of the model's id.", example = "Qwen") @PathVariable String owner,
            @Parameter(description = "Second part of the model's id.", example = "Qwen3-32B") @PathVariable
                    String name) {
        String id = owner + "/" + name;
        return catalogs.models()
                .find(id)
                .map(ModelResponse::from)
                .orElseThrow(() -> unknown("model", id, catalogs.models().ids()));
    }

    @Operation(
            operationId = "getLengthDistribution",
            summary = "Get a length distribution",
            description =
                    "Bins of input lengths and their weights. Carries an `ETag`; `If-None-Match` answers 304 while"
                            + " nothing changed.")
    @ApiResponse(responseCode = "200", description = "The distribution.")
    @UnknownNameResponse
    @GetMapping("/length-distributions/{name}")
    DistributionResponse lengthDistribution(
            @Parameter(description = "Name of the distribution.", example = "builtin") @PathVariable String name) {
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

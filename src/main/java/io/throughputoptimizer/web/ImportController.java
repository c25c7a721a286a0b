package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.benchmark.ImportResponse;
import io.throughputoptimizer.api.benchmark.RequestFile;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Inputs of other planners as requests; nothing is kept of them.
@RestController
@Tag(name = ApiTags.OPTIMIZATIONS)
class ImportController {
    static final String PATH = "/api/v1/import";

    private final Uploads uploads;
    private final Catalogs catalogs;

    ImportController(Uploads uploads, Catalogs catalogs) {
        this.uploads = uploads;
        this.catalogs = catalogs;
    }

    @Operation(
            operationId = "importRequest",
            summary = "Turn an input of AISimulate into a request",
            description = "An input of `aisimulate predict` or `aisimulate recommend` (0.12) becomes the body of an"
                    + " optimization. `assumed` has the values that the file does not state, `left_out` the fields"
                    + " without a counterpart. Of a list of choices for one value, the first counts. The file can be"
                    + " 1 MiB long. The service searches and keeps nothing.")
    @ApiResponse(responseCode = "200", description = "The request.")
    @InvalidRequestResponse
    @PostMapping(
            path = PATH,
            consumes = {MediaType.APPLICATION_YAML_VALUE, MediaType.TEXT_PLAIN_VALUE, MediaType.APPLICATION_JSON_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    ImportResponse importRequest(HttpServletRequest request) {
        return uploads.readUnpacked(
                request,
                "file",
                (body, _) -> RequestFile.read(body, catalogs.models().ids()::contains));
    }
}

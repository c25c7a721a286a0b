package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.enginelog.EngineLogReader;
import io.throughputoptimizer.api.enginelog.EngineLogResponse;
import io.throughputoptimizer.web.description.Examples;
import io.throughputoptimizer.web.description.InvalidRequestResponse;
import io.throughputoptimizer.web.description.OpenApiConfiguration;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Start-up logs of engines, read while they arrive; nothing is kept of them.
@RestController
@Tag(name = OpenApiConfiguration.CATALOGUE)
class EngineLogController {
    static final String PATH = "/api/v1/engine-logs";

    private final Uploads uploads;

    EngineLogController(Uploads uploads) {
        this.uploads = uploads;
    }

    @Operation(
            operationId = "readEngineLog",
            summary = "Read the start-up log of a server",
            description =
                    "Reads settings and memory from the lines that vLLM (0.6 or newer), vLLM-Ascend or SGLang (0.4"
                            + " or newer) writes while it starts. `engine` has the names of a request's `engine`. Fields are"
                            + " absent where the log is silent. If the log holds several starts, the last one counts. The"
                            + " service passes over a figure that is no number and warns. The body can be compressed by gzip"
                            + " and as long as a trace. The service reads it while it arrives and does not keep it.",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.TEXT_PLAIN_VALUE,
                                            schema = @Schema(type = "string"),
                                            examples =
                                                    @ExampleObject(
                                                            name = "vllm",
                                                            summary = "Lines of vLLM 0.19",
                                                            value = Examples.ENGINE_LOG))))
    @ApiResponse(responseCode = "200", description = "The settings and figures.")
    @InvalidRequestResponse
    @PostMapping(path = PATH, consumes = MediaType.TEXT_PLAIN_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    EngineLogResponse read(HttpServletRequest request) {
        return uploads.readUnpacked(request, "log", (body, _) -> EngineLogReader.read(body));
    }
}

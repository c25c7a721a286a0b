package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.enginelog.EngineLogReader;
import io.throughputoptimizer.api.enginelog.EngineLogResponse;
import io.throughputoptimizer.api.enginelog.LoggedMemory;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Start-up logs of engines, read while they arrive; nothing is kept of them.
@RestController
@Tag(name = ApiTags.CATALOG)
class EngineLogController {
    static final String PATH = "/api/v1/engine-logs";

    private static final String MODEL_ID = "model_id";

    private final Uploads uploads;
    private final LoggedMemory memory;

    EngineLogController(Uploads uploads, Catalogs catalogs) {
        this.uploads = uploads;
        this.memory = new LoggedMemory(catalogs);
    }

    @Operation(
            operationId = "readEngineLog",
            summary = "Read the start-up log of a server",
            description =
                    "Reads settings and memory from the lines that vLLM (0.6 or newer), vLLM-Ascend or SGLang (0.4"
                            + " or newer) writes while it starts. `engine` has the names of a request's `engine`. Fields are"
                            + " absent where the log is silent. If the log holds several starts, the last one counts. The"
                            + " service passes over a figure that is no number and warns. `predicted` is the memory law"
                            + " for these settings and `comparison` its error on each printed figure. The body can be compressed by gzip"
                            + " and as long as a trace. The service reads it while it arrives and does not keep it.")
    @ApiResponse(responseCode = "200", description = "The settings and figures.")
    @InvalidRequestResponse
    @PostMapping(path = PATH, consumes = MediaType.TEXT_PLAIN_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    EngineLogResponse read(
            @Parameter(
                            description = "Device of a rank: a name of the catalog, or one whose memory the service"
                                    + " knows, such as `RTX_4090`. Default: a device of the memory that the log prints;"
                                    + " no prediction where it prints none.",
                            example = "H100_SXM")
                    @RequestParam(required = false)
                    @Nullable
                    String device,
            @Parameter(
                            description = "Model id of the catalog. Default: the model that the log names, by its id or"
                                    + " by the part after the last slash.",
                            example = "Qwen/Qwen3-8B")
                    @RequestParam(name = MODEL_ID, required = false)
                    @Nullable
                    String modelId,
            @Parameter(
                            description = "Scheme of the weights, as in `quantization.scheme`. Default: the checkpoint"
                                    + " decides.",
                            schema = @Schema(implementation = Scheme.class))
                    @RequestParam(required = false)
                    @Nullable
                    String scheme,
            HttpServletRequest request) {
        EngineLogResponse log = uploads.readUnpacked(request, "log", (body, _) -> EngineLogReader.read(body));
        try {
            return memory.predict(log, new LoggedMemory.Stated(device, modelId, scheme));
        } catch (InvalidRequestException unknown) {
            Map<String, String> rules = new LinkedHashMap<>();
            unknown.violations().forEach(rule -> rules.put(rule.pointer().substring(1), rule.message()));
            throw new InvalidParameterException(rules);
        }
    }
}

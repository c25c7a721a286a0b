package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.metrics.MetricsReader;
import io.throughputoptimizer.api.metrics.MetricsReader.Stated;
import io.throughputoptimizer.api.metrics.MetricsResponse;
import io.throughputoptimizer.api.metrics.ServerCommand;
import io.throughputoptimizer.api.metrics.ServerCommandResponse;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Descriptions of running servers by their metrics or commands; nothing is kept of them.
@RestController
@Tag(name = ApiTags.CATALOG)
class ServerController {
    static final String METRICS = "/api/v1/traffic/from-metrics";
    static final String COMMANDS = "/api/v1/servers/from-command";
    static final String OPEN_METRICS = "application/openmetrics-text";

    private static final String MODEL_ID = "model_id";
    private static final String CONTEXT_TOKENS = "context_tokens";
    private static final int MOST_INSTANCES = 10_000;

    private final Uploads uploads;

    ServerController(Uploads uploads) {
        this.uploads = uploads;
    }

    @Operation(
            operationId = "readServerMetrics",
            summary = "Read the traffic of a running server",
            description = "Metrics of vLLM, SGLang, TensorRT-LLM, the Dynamo frontend, the llm-d router or TGI become"
                    + " lengths with exact means, rates, hit rate, load and latencies. The body is exposition text, or"
                    + " answers of Prometheus' HTTP API (`query_range`, `query`) one after the other. A line"
                    + " `# scrape: TIME [INSTANCE]` opens a scrape; `TIME` is Unix seconds or RFC 3339. Two scrapes"
                    + " state what happened between them, one what happened since the start. `workload` is the"
                    + " `workload` of an optimization, `demand` that of mode `capacity`. The body can be compressed by"
                    + " gzip and as long as a trace. The service reads it while it arrives and does not keep it.")
    @ApiResponse(responseCode = "200", description = "The traffic.")
    @InvalidRequestResponse
    @PostMapping(
            path = METRICS,
            consumes = {MediaType.TEXT_PLAIN_VALUE, OPEN_METRICS, MediaType.APPLICATION_JSON_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    MetricsResponse readMetrics(
            @Parameter(
                            description = "Family of metrics: `vllm`, `sglang`, `trtllm`, `dynamo`, `llm-d` or `tgi`."
                                    + " Default: the first of these that is present.",
                            example = "vllm")
                    @RequestParam(required = false)
                    @Nullable
                    String source,
            @Parameter(
                            description = "Model whose series count. Required if the metrics have several.",
                            example = "Qwen/Qwen3-32B")
                    @RequestParam(name = MetricsReader.SERVED_MODEL, required = false)
                    @Nullable
                    String servedModel,
            @Parameter(
                            description = "Number of equal instances that the metrics of one stand for. Default: 1.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "10000"))
                    @RequestParam(required = false)
                    @Nullable
                    String instances,
            @Parameter(
                            description = "Tokens of the longest request, where the last bucket of lengths ends."
                                    + " Default: as the metrics state, else unknown.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "1000000"))
                    @RequestParam(name = CONTEXT_TOKENS, required = false)
                    @Nullable
                    String contextTokens,
            HttpServletRequest request) {
        return metrics(
                source,
                servedModel,
                instances,
                contextTokens,
                stated -> uploads.readUnpacked(
                        request,
                        "text",
                        (body, type) -> MetricsReader.read(
                                body, type != null && type.isCompatibleWith(MediaType.APPLICATION_JSON), stated)));
    }

    /// Reads metrics by parameters as in the query.
    static MetricsResponse metrics(
            @Nullable String source,
            @Nullable String servedModel,
            @Nullable String instances,
            @Nullable String contextTokens,
            Function<Stated, MetricsResponse> reading) {
        Stated stated = new Stated(
                source,
                servedModel,
                instances == null ? null : (Integer) instances(instances),
                contextTokens == null
                        ? null
                        : (Long) ParameterValue.asLong(CONTEXT_TOKENS, contextTokens, 1, Bounds.COUNT));
        return withParameters(() -> reading.apply(stated));
    }

    @Operation(
            operationId = "readServerCommand",
            summary = "Read the command of a server",
            description = "One command line of `vllm serve`, `python -m vllm.entrypoints.openai.api_server`,"
                    + " `python -m sglang.launch_server` or `sglang serve` becomes the layout and settings of the"
                    + " server that it starts. `ignored` has the options without a field. The service rejects"
                    + " commands with options that plans do not support, or with more than 65,536 characters.")
    @ApiResponse(responseCode = "200", description = "The layout and settings.")
    @InvalidRequestResponse
    @PostMapping(path = COMMANDS, consumes = MediaType.TEXT_PLAIN_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    ServerCommandResponse readCommand(
            @Parameter(
                            description = "Number of equal instances.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "10000", defaultValue = "1"))
                    @RequestParam(defaultValue = "1")
                    String instances,
            @Parameter(description = "Device of the server, repeated in the response.", example = "H100_SXM")
                    @RequestParam(required = false)
                    @Nullable
                    String device,
            @Parameter(
                            description = "Model id. Required if the command has a variable for the model. Default: the"
                                    + " model of the command.",
                            example = "Qwen/Qwen3-32B")
                    @RequestParam(name = MODEL_ID, required = false)
                    @Nullable
                    String modelId,
            @Parameter(
                            description = "Weight format, as in `quantization.scheme`. Default: by `--quantization` or"
                                    + " the name of the model.",
                            schema = @Schema(implementation = Scheme.class))
                    @RequestParam(required = false)
                    @Nullable
                    String scheme,
            HttpServletRequest request) {
        if (scheme != null
                && Stream.of(Scheme.values()).noneMatch(known -> known.name().equals(scheme))) {
            throw new InvalidParameterException(
                    "scheme",
                    "unknown value \"" + scheme + "\"; allowed: "
                            + Stream.of(Scheme.values()).map(Scheme::name).collect(Collectors.joining(", ")) + ".");
        }
        ServerCommand.Stated stated = new ServerCommand.Stated(instances(instances), device, modelId, scheme);
        return uploads.readUnpacked(request, "command", (body, _) -> ServerCommand.read(body, stated));
    }

    static int instances(String text) {
        return ParameterValue.asInt(MetricsReader.INSTANCES, text, 1, MOST_INSTANCES);
    }

    /// Reports faults of parameters as such: their pointers are names, without a slash.
    private static <T> T withParameters(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (InvalidRequestException broken) {
            var fault = broken.violations().getFirst();
            if (fault.pointer().isEmpty() || fault.pointer().startsWith("/")) {
                throw broken;
            }
            throw new InvalidParameterException(fault.pointer(), fault.message());
        }
    }
}

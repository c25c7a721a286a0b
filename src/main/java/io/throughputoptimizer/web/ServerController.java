package io.throughputoptimizer.web;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.metrics.MetricsReader;
import io.throughputoptimizer.api.metrics.MetricsReader.Stated;
import io.throughputoptimizer.api.metrics.MetricsResponse;
import io.throughputoptimizer.api.metrics.ServerCommand;
import io.throughputoptimizer.api.metrics.ServerCommandResponse;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.core.kernels.Scheme;
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

    @PostMapping(
            path = METRICS,
            consumes = {MediaType.TEXT_PLAIN_VALUE, OPEN_METRICS, MediaType.APPLICATION_JSON_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    MetricsResponse readMetrics(
            @RequestParam(required = false) @Nullable String source,
            @RequestParam(name = MetricsReader.SERVED_MODEL, required = false) @Nullable String servedModel,
            @RequestParam(required = false) @Nullable String instances,
            @RequestParam(name = CONTEXT_TOKENS, required = false) @Nullable String contextTokens,
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

    @PostMapping(path = COMMANDS, consumes = MediaType.TEXT_PLAIN_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    ServerCommandResponse readCommand(
            @RequestParam(defaultValue = "1") String instances,
            @RequestParam(required = false) @Nullable String device,
            @RequestParam(name = MODEL_ID, required = false) @Nullable String modelId,
            @RequestParam(required = false) @Nullable String scheme,
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

package io.throughputoptimizer.web;

import io.throughputoptimizer.api.enginelog.EngineLogReader;
import io.throughputoptimizer.api.enginelog.EngineLogResponse;
import io.throughputoptimizer.api.enginelog.LoggedMemory;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.catalog.Catalogs;
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
class EngineLogController {
    static final String PATH = "/api/v1/engine-logs";

    private static final String MODEL_ID = "model_id";

    private final Uploads uploads;
    private final LoggedMemory memory;

    EngineLogController(Uploads uploads, Catalogs catalogs) {
        this.uploads = uploads;
        this.memory = new LoggedMemory(catalogs);
    }

    @PostMapping(path = PATH, consumes = MediaType.TEXT_PLAIN_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    EngineLogResponse read(
            @RequestParam(required = false) @Nullable String device,
            @RequestParam(name = MODEL_ID, required = false) @Nullable String modelId,
            @RequestParam(required = false) @Nullable String scheme,
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

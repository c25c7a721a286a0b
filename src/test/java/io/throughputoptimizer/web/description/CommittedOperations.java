package io.throughputoptimizer.web.description;

import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.SubmittedEstimate;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.ChartResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse.SweepPageResponse;
import io.throughputoptimizer.api.sweep.SweepRequest;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepTableResponse;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.web.Streamed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Describes operations as the committed API description does. Of the controllers are only the operations, their
/// parameters, and the schemas of bodies and results; a new operation is described by what the generator knows.
final class CommittedOperations implements GlobalOpenApiCustomizer {
    private static final String JSON = org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

    /// Results that operations write as streams or by converters of their own.
    private static final List<Class<?>> WRITTEN = List.of(
            ChartResponse.class,
            SweepTableResponse.class,
            SweepPageResponse.class,
            OptimizationJob.Standing.class,
            Sweep.Standing.class);

    static {
        SpringDocUtils.getConfig()
                .replaceWithClass(SubmittedRequest.class, OptimizationRequest.class)
                .replaceWithClass(SubmittedSweep.class, SweepRequest.class)
                .replaceWithClass(SubmittedEstimate.class, EstimateRequest.class);
        Stream.of(Curves.class, SseEmitter.class, Streamed.class)
                .forEach(type -> SpringDocUtils.getConfig().replaceWithSchema(type, new StringSchema()));
    }

    private final OpenAPI committed = read();

    private static OpenAPI read() {
        try {
            return Yaml31.mapper().readValue(Path.of("openapi", "openapi.yaml").toFile(), OpenAPI.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // The generator's model is raw.
    public void customise(OpenAPI api) {
        Map<String, Schema> schemas = api.getComponents().getSchemas();
        for (Class<?> written : WRITTEN) {
            ModelConverters.getInstance(true).readAll(written).forEach(schemas::putIfAbsent);
        }
        api.getPaths()
                .forEach((path, item) -> item.readOperationsMap().forEach((method, generated) -> {
                    var known = committed.getPaths().get(path);
                    Operation described =
                            known == null ? null : known.readOperationsMap().get(method);
                    if (described != null) {
                        item.operation(method, described(generated, described));
                    }
                }));
        Map<String, Schema> ordered = new LinkedHashMap<>();
        Stream.concat(committed.getComponents().getSchemas().keySet().stream(), schemas.keySet().stream())
                .filter(schemas::containsKey)
                .forEach(name -> ordered.put(name, schemas.get(name)));
        api.getComponents().setSchemas(ordered);
    }

    private static Operation described(Operation generated, Operation described) {
        Map<String, Parameter> missing = new LinkedHashMap<>();
        parameters(generated).forEach(parameter -> missing.put(place(parameter), parameter));
        List<Parameter> parameters = new ArrayList<>();
        for (Parameter known : parameters(described)) {
            Parameter parameter = missing.remove(place(known));
            if (parameter != null) {
                parameters.add(Boolean.TRUE.equals(parameter.getRequired()) ? known.required(true) : known);
            }
        }
        parameters.addAll(missing.values());
        described.setParameters(parameters.isEmpty() ? null : parameters);
        // Absent where a controller reads the bytes of the request itself.
        if (generated.getRequestBody() != null && described.getRequestBody() != null) {
            keepSchemas(
                    generated.getRequestBody().getContent(),
                    described.getRequestBody().getContent());
        }
        described.getResponses().forEach((status, response) -> {
            ApiResponse known = generated.getResponses().get(status);
            if (status.startsWith("2") && known != null) {
                keepSchemas(known.getContent(), response.getContent());
            }
        });
        return described;
    }

    private static String place(Parameter parameter) {
        return parameter.getIn() + "/" + parameter.getName();
    }

    private static List<Parameter> parameters(Operation operation) {
        return operation.getParameters() == null ? List.of() : operation.getParameters();
    }

    /// Sets the schemas of JSON that controllers name.
    private static void keepSchemas(@Nullable Content generated, @Nullable Content described) {
        MediaType known = generated == null ? null : generated.get(JSON);
        MediaType content = described == null ? null : described.get(JSON);
        String reference = known == null || known.getSchema() == null
                ? null
                : known.getSchema().get$ref();
        if (content != null && reference != null) {
            content.setSchema(known.getSchema());
        }
    }
}

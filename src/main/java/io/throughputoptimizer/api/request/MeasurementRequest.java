package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Benchmark results of one server, as a request states them.
@Schema(name = "MeasurementRequest")
public record MeasurementRequest(
        @Size(max = 256, message = "{request.model_id.length}")
        @Pattern(regexp = "^[A-Za-z0-9_/.][A-Za-z0-9_/.-]*$", message = "{request.model_id.characters}")
        @Nullable
        String modelId,

        @Schema(types = "object") @Nullable Map<String, @Nullable Object> modelConfig,

        @Required @Size(max = 256, message = "{request.name.length}") @Nullable
        String device,

        @Valid QuantizationRequest quantization,
        @Required @Valid @Nullable EngineRequest engine,

        @Required @Size(min = 1, max = MeasurementRequest.MOST_ROWS) @Nullable
        List<@NotNull @Valid MeasuredRowRequest> rows)
        implements Composite {
    /// A plan learns from no more.
    public static final int MOST_ROWS = 50;

    /// Name of a model without a name.
    public static final String UNNAMED = CatalogLookup.UNNAMED_MODEL;

    public MeasurementRequest {
        modelConfig = modelConfig == null || modelConfig.isEmpty() ? null : modelConfig;
        quantization = requireNonNullElse(quantization, QuantizationRequest.DEFAULT);
    }

    /// Returns the name of the model; an inline configuration might have none.
    public String modelName() {
        return modelId == null ? UNNAMED : modelId;
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>(CatalogLookup.missingModel(modelId, modelConfig));
        if (rows == null) {
            broken.add(new Violation("/rows", "is required: a list of at least one row"));
        }
        if (engine != null && engine.backend() != null) {
            broken.addAll(engine.backend().several("/engine/backend"));
        }
        if (engine != null && (engine.version() == null || engine.version().isBlank())) {
            broken.add(new Violation("/engine/version", "is required: measurements apply to one version"));
        }
        if (quantization.scheme() != null) {
            broken.addAll(quantization.scheme().several("/quantization/scheme"));
        }
        return broken;
    }
}

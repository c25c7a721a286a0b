package io.throughputoptimizer.api;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.workload.ServiceObjective;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/// Limits that the deployment must keep, as they come over the wire.
@Schema(name = "Slo", description = "Limits in ms that the deployment must keep; a number, or \"inf\" for no limit.")
public record ObjectiveRequest(
        @Schema(description = "Highest time to first token in ms.", ref = ObjectiveRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double ttftMs,

        @Schema(description = "Highest time per output token in ms.", ref = ObjectiveRequest.LIMIT)
        @Positive
        @JsonDeserialize(using = LimitReader.class)
        @JsonSerialize(using = LimitWriter.class)
        @Nullable
        Double tpotMs) {
    /// Reference to the schema of a limit: what [LimitReader] reads is in no Java type.
    private static final String LIMIT = "#/components/schemas/Limit";

    static final ObjectiveRequest NONE = new ObjectiveRequest(null, null);

    public ServiceObjective toObjective() {
        return new ServiceObjective(ttftMs, tpotMs);
    }
}

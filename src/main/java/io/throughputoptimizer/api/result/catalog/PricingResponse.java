package io.throughputoptimizer.api.result.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.CostModelName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Support of a model by a cost model.
@Schema(name = "Pricing", description = "Whether a cost model prices a model.")
public record PricingResponse(
        @Schema(description = "The cost model.") CostModelName costModel,

        @Schema(
                description = "`flagged`: priced, and every price says that it is less certain, or of less, than others"
                        + " are. `refused`: requests for it are.",
                allowableValues = {"priced", "flagged", "refused"})
        Outcome outcome,

        @Schema(
                description = "What is flagged: of cost model `calibrated` the fewest flags that a figure has on any"
                        + " measured device and engine, as answers have them; `images` where the model sees images that"
                        + " are not priced; `steady` where the reference has no price: with accounting `steady` only;"
                        + " `windows` where accounting `documented` prices layers with a sliding window"
                        + " as if they saw all tokens; `context` where it prices each pass as if nothing came before"
                        + " it. Absent without any.",
                example = "[\"family\"]")
        @Nullable
        List<String> flags,

        @Schema(description = "Why it is refused, as requests are told.") @Nullable
        String reason) {

    /// The outcome of requests for the model.
    public enum Outcome {
        @JsonProperty("priced")
        PRICED,
        @JsonProperty("flagged")
        FLAGGED,
        @JsonProperty("refused")
        REFUSED
    }

    static PricingResponse refused(CostModelName costModel, String reason) {
        return new PricingResponse(costModel, Outcome.REFUSED, null, reason);
    }

    static PricingResponse priced(CostModelName costModel, List<String> flags) {
        return flags.isEmpty()
                ? new PricingResponse(costModel, Outcome.PRICED, null, null)
                : new PricingResponse(costModel, Outcome.FLAGGED, flags, null);
    }
}

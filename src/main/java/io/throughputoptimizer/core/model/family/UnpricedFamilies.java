package io.throughputoptimizer.core.model.family;

import java.util.Map;
import java.util.Optional;

/// Known models that no family supports, with the reason: parts without a price, or facts that their configurations
/// leave out.
final class UnpricedFamilies {
    private static final String STEP =
            "published configurations say neither rms_norm_eps, nor whether heads are normalized"
                    + " or gated, nor which of them layers with a window have";
    private static final String NEMOTRON_H = "Mamba layers are not priced, nor layers of one part alone";

    private static final Map<String, String> REASONS = Map.of("step3p7", STEP, "nemotron_h", NEMOTRON_H);

    private UnpricedFamilies() {}

    /// Returns why models of a `model_type` are not priced, or empty if unknown.
    static Optional<String> reason(String modelType) {
        return Optional.ofNullable(REASONS.get(modelType));
    }
}

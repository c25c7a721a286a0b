package io.throughputoptimizer.core.model.family;

import java.util.Map;
import java.util.Optional;

/// What is missing for models that people deploy and that no family reads: parts without a price, or facts that their
/// published configurations leave out.
final class UnpricedFamilies {
    private static final String STEP =
            "published configurations say neither rms_norm_eps, nor whether heads are normalized"
                    + " or gated, nor which of them layers with a window have";
    private static final String NEMOTRON_H = "Mamba layers are not priced, nor layers of one part alone";

    private static final Map<String, String> REASONS = Map.of("step3p7", STEP, "nemotron_h", NEMOTRON_H);

    private UnpricedFamilies() {}

    /// Why models of a `model_type` are not priced, in words; empty where nobody has looked.
    static Optional<String> reason(String modelType) {
        return Optional.ofNullable(REASONS.get(modelType));
    }
}

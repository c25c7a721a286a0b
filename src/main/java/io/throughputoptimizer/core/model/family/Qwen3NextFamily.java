package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.HybridConfig;
import java.util.List;
import java.util.Set;

/// Qwen3-Next: layers of [Qwen35Family], whose linear attention the reference prices as one operator.
final class Qwen3NextFamily implements ModelFamily {
    @Override
    public String modelType() {
        return "qwen3_next";
    }

    @Override
    public String title() {
        return "Qwen3-Next";
    }

    @Override
    public Set<String> knownKeys() {
        return HybridConfig.KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HybridConfig.refuseUnpriced(config, List.of("Qwen3NextForCausalLM"));
        return DecoderConfig.withShiftedNorms(id, modelType(), config, HybridConfig.groups(config, true), null);
    }
}

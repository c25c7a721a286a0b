package io.throughputoptimizer.core.model.stored;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A model with all that its configuration says of it.
public final class StoredModel {
    private StoredModel() {}

    /// The model that a configuration stands for, with its context limit and how its checkpoint is quantized.
    ///
    /// @param id name under which the model is to be known
    /// @throws ModelConfigException if the configuration cannot be priced
    public static ModelArchitecture of(String id, HuggingFaceConfig config) {
        ModelArchitecture model = ModelFamily.model(id, config);
        return model.withStored(StoredQuantizationConfig.read(config, model)).readFrom(config.document());
    }

    /// Whether a `config.json` says how its checkpoint is quantized. Where not, a file beside it may.
    public static boolean saysQuantization(Map<String, ? extends @Nullable Object> config) {
        return config.get(StoredQuantizationConfig.KEY) != null
                || (config.get(HuggingFaceConfig.TEXT) instanceof Map<?, ?> text
                        && text.get(StoredQuantizationConfig.KEY) != null);
    }
}

package io.throughputoptimizer.core.model.stored;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a model with all facts of its configuration.
public final class StoredModel {
    private StoredModel() {}

    /// Returns the model of a configuration, with its context length and the quantization of its checkpoint.
    ///
    /// @param id name for the model
    /// @throws ModelConfigException if the configuration has no price
    public static ModelArchitecture of(String id, HuggingFaceConfig config) {
        ModelArchitecture model = ModelFamily.model(id, config);
        return model.withStored(StoredQuantizationConfig.read(config, model)).readFrom(config.document());
    }

    /// Returns whether a `config.json` states the quantization of its checkpoint. If not, another file of the
    /// checkpoint can.
    public static boolean saysQuantization(Map<String, ? extends @Nullable Object> config) {
        return config.get(StoredQuantizationConfig.KEY) != null
                || config.get(StoredQuantizationConfig.OLD_KEY) != null
                || (config.get(HuggingFaceConfig.TEXT) instanceof Map<?, ?> text
                        && text.get(StoredQuantizationConfig.KEY) != null);
    }
}

package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads which layers attend to a window of recent tokens: `layer_types` by name, or `sliding_window_pattern`
/// as a period that ends with a layer that attends to all tokens.
public final class WindowConfig {
    public static final String WINDOW = UnpricedFeatures.WINDOW;
    public static final String TYPES = "layer_types";
    public static final String PATTERN = "sliding_window_pattern";

    private static final String FULL = "full_attention";
    private static final String SLIDING = "sliding_attention";

    private WindowConfig() {}

    /// Returns the layers in order, given whether each has a window.
    ///
    /// @param layer creates a layer with or without a window
    public static List<LayerGroup> groups(List<Boolean> sliding, Function<Boolean, LayerGroup> layer) {
        return LayerGroup.joined(sliding.stream().map(layer).toList());
    }

    /// Returns whether each layer has a window, by `layer_types`.
    public static List<Boolean> byTypes(HuggingFaceConfig config) {
        int layers = DecoderConfig.layers(config);
        List<?> types = DecoderConfig.requireEachLayer(config, TYPES, config.list(TYPES), layers);
        return types.subList(0, layers).stream()
                .map(type -> isSliding(config, type))
                .toList();
    }

    /// Returns whether each layer has a window, by `layer_types` or else by a period that ends with a layer
    /// that attends to all.
    ///
    /// @param period default period
    public static List<Boolean> byTypesOrPattern(HuggingFaceConfig config, int period) {
        if (config.has(TYPES)) {
            return byTypes(config);
        }
        int given = config.has(PATTERN) ? config.count(PATTERN, ModelArchitecture.MAX_LAYERS) : period;
        int layers = DecoderConfig.layers(config);
        List<Boolean> sliding = new ArrayList<>();
        for (int layer = 1; layer <= layers; layer++) {
            sliding.add(layer % given != 0);
        }
        return sliding;
    }

    /// Returns whether each layer has a window, by `layer_types` or else by the presence of a window.
    public static List<Boolean> byTypesOrEverywhere(HuggingFaceConfig config) {
        return config.has(TYPES)
                ? byTypes(config)
                : Collections.nCopies(DecoderConfig.layers(config), config.has(WINDOW));
    }

    /// Returns the window in tokens.
    public static int window(HuggingFaceConfig config) {
        return config.count(WINDOW, ModelArchitecture.MAX_POSITIONS);
    }

    private static boolean isSliding(HuggingFaceConfig config, @Nullable Object type) {
        if (FULL.equals(type) || SLIDING.equals(type)) {
            return SLIDING.equals(type);
        }
        throw config.refused(TYPES, "only full_attention and sliding_attention are priced");
    }

    /// Rejects partly rotated heads, also in rotation settings by kind of layer.
    public static void requireWholeRotation(HuggingFaceConfig config) {
        for (String kind : List.of(FULL, SLIDING)) {
            config.section("rope_parameters")
                    .section(kind)
                    .requireNumberIfGiven(
                            UnpricedFeatures.ROTARY_SHARE, 1, "heads that are rotated in part are not priced");
        }
    }
}

package io.throughputoptimizer.core.model;

import java.util.List;

/// Layers that predict draft tokens, one for each.
///
/// @param most how many of them are of this kind; those behind, if there were any, are not priced
public record DraftLayers(AttentionSpec attention, FeedForwardSpec feedForward, int most) {

    /// As many as are asked for, like a layer of the model.
    public static DraftLayers like(LayerGroup layer) {
        return new DraftLayers(layer.attention(), layer.feedForward(), Integer.MAX_VALUE);
    }

    /// Those that begin a list of layers, as far as they are equal; behind its end all are like the last.
    ///
    /// @param layers the first draft layer and those behind it; not empty
    public static DraftLayers first(List<LayerGroup> layers) {
        LayerGroup first = layers.getFirst();
        int equal = 0;
        while (equal < layers.size() && layers.get(equal).equals(first)) {
            equal++;
        }
        return new DraftLayers(
                first.attention(), first.feedForward(), equal == layers.size() ? Integer.MAX_VALUE : equal);
    }
}

package io.throughputoptimizer.core.model;

import java.util.List;

/// Layers that predict draft tokens, one layer per token.
///
/// @param most number of layers of this kind; further layers have no price
public record DraftLayers(AttentionSpec attention, FeedForwardSpec feedForward, int most) {

    /// Returns an unlimited number of draft layers equal to a layer of the model.
    public static DraftLayers like(LayerGroup layer) {
        return new DraftLayers(layer.attention(), layer.feedForward(), Integer.MAX_VALUE);
    }

    /// Returns the equal layers at the start of a list. If the whole list is equal, their number is unlimited.
    ///
    /// @param layers the draft layers in order; not empty
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

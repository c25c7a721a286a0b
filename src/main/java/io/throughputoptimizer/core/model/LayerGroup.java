package io.throughputoptimizer.core.model;

import java.util.ArrayList;
import java.util.List;

/// Consecutive identical decoder layers.
///
/// @param count number of layers
/// @param attention kind of attention of each
/// @param feedForward kind of feed-forward part of each
public record LayerGroup(int count, AttentionSpec attention, FeedForwardSpec feedForward) {
    public LayerGroup {
        ModelArchitecture.requireSize("layers", count, ModelArchitecture.MAX_LAYERS);
    }

    /// Returns the layers of `rest` with the first `leading` ones replaced by dense layers.
    public static List<LayerGroup> withLeadingDense(int leading, FeedForwardSpec.Dense dense, LayerGroup rest) {
        int first = Math.min(leading, rest.count);
        LayerGroup leadingLayers = new LayerGroup(first, rest.attention, dense);
        return first == rest.count
                ? List.of(leadingLayers)
                : List.of(leadingLayers, new LayerGroup(rest.count - first, rest.attention, rest.feedForward));
    }

    /// Merges consecutive groups of identical layers.
    public static List<LayerGroup> joined(List<LayerGroup> groups) {
        List<LayerGroup> joined = new ArrayList<>();
        for (LayerGroup group : groups) {
            LayerGroup last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && last.attention.equals(group.attention) && last.feedForward.equals(group.feedForward)) {
                joined.set(
                        joined.size() - 1,
                        new LayerGroup(last.count + group.count, group.attention, group.feedForward));
            } else {
                joined.add(group);
            }
        }
        return joined;
    }

    /// Returns whether the layers have attention, or something in its place.
    public boolean attends() {
        return !(attention instanceof HybridSpec.Absent);
    }

    /// Returns whether the layers have a feed-forward part.
    public boolean feedsForward() {
        return !(feedForward instanceof FeedForwardSpec.Absent);
    }

    /// Returns the parameters of all layers: attention and feed-forward network, with a norm each.
    long parameterCount(int hiddenSize) {
        long norms = (attends() ? 1L : 0) + (feedsForward() ? 1 : 0);
        return count
                * (attention.parameterCount(hiddenSize) + feedForward.parameterCount(hiddenSize) + norms * hiddenSize);
    }
}

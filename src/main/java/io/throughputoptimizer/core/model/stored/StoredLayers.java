package io.throughputoptimizer.core.model.stored;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Storage formats of the parts of each decoder layer. An empty format is 16 bits.
final class StoredLayers {
    private static final List<String> ROOTS = List.of(
            "model.layers.", "language_model.model.layers.", "model.language_model.layers.", "backbone.layers.");

    private final ModuleNames ignored;
    private final List<Targeted> formats;
    /// Parameters by part and format.
    private final Map<ModulePart, Map<Optional<StoredFormat>, Share>> shares = new EnumMap<>(ModulePart.class);

    /// A format and its modules.
    ///
    /// @param everywhere true if it applies to all linear layers
    record Targeted(StoredFormat format, boolean everywhere, ModuleNames targets) {}

    private static final class Share {
        private long parameters;
        private int layers;
    }

    /// @param formats formats in order of application
    StoredLayers(ModelArchitecture model, ModuleNames ignored, List<Targeted> formats) {
        this.ignored = ignored;
        this.formats = formats;
        int layer = 0;
        for (LayerGroup group : model.groups()) {
            for (int index = 0; index < group.count(); index++) {
                add(layer, group, model.hiddenSize());
                layer++;
            }
        }
    }

    private void add(int layer, LayerGroup group, int hiddenSize) {
        ModulePart attention = switch (group.attention()) {
            case AttentionSpec.GroupedQuery grouped ->
                grouped.takesKeysAsValues() ? ModulePart.ATTENTION_WITHOUT_VALUES : ModulePart.ATTENTION;
            case AttentionSpec.MultiHeadLatent _, AttentionSpec.BlockSparse _, CompressedSpec _ -> ModulePart.ATTENTION;
            case AttentionSpec.GatedDelta _, HybridSpec _ -> ModulePart.LINEAR_ATTENTION;
        };
        if (group.attends()) {
            add(layer, attention, group.attention().parameterCount(hiddenSize));
        }
        switch (group.feedForward()) {
            case FeedForwardSpec.Absent _ -> {}
            case FeedForwardSpec.Dense dense -> add(layer, ModulePart.DENSE_LAYERS, dense.parameterCount(hiddenSize));
            case FeedForwardSpec.RoutedExperts routed -> {
                boolean beside = routed.besideDense();
                add(layer, beside ? ModulePart.EXPERTS_BESIDE_DENSE : ModulePart.ROUTED_EXPERTS, 1);
                if (routed.sharedWidth() > 0) {
                    ModulePart shared = beside ? ModulePart.DENSE_LAYERS : ModulePart.SHARED_EXPERTS;
                    add(layer, shared, 3L * hiddenSize * routed.sharedWidth());
                }
            }
        }
    }

    private void add(int layer, ModulePart part, long parameters) {
        Share share = shares.computeIfAbsent(part.counted(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(format(layer, part), _ -> new Share());
        share.parameters += parameters;
        share.layers++;
    }

    private Optional<StoredFormat> format(int layer, ModulePart part) {
        List<List<ModulePath>> spellings = ROOTS.stream()
                .flatMap(root -> part.spellings().stream()
                        .map(spelling -> spelling.stream()
                                .map(path -> new ModulePath(root + layer + "." + path))
                                .toList()))
                .toList();
        if (isAnyIn(ignored, spellings)) {
            return Optional.empty();
        }
        return formats.stream()
                .filter(targeted -> targeted.everywhere() || isAnyIn(targeted.targets(), spellings))
                .map(Targeted::format)
                .findFirst();
    }

    private static boolean isAnyIn(ModuleNames names, List<List<ModulePath>> spellings) {
        for (List<ModulePath> spelling : spellings) {
            boolean all = true;
            for (int path = 0; all && path < spelling.size(); path++) {
                all = names.contain(spelling.get(path));
            }
            if (all) {
                return true;
            }
        }
        return false;
    }

    /// Returns the format of most routed experts.
    Optional<StoredFormat> experts() {
        return most(shares.entrySet().stream().filter(entry -> entry.getKey() == ModulePart.ROUTED_EXPERTS));
    }

    /// Returns the format of most other parameters.
    Optional<StoredFormat> others() {
        return most(shares.entrySet().stream().filter(entry -> entry.getKey() != ModulePart.ROUTED_EXPERTS));
    }

    private static Optional<StoredFormat> most(
            Stream<Map.Entry<ModulePart, Map<Optional<StoredFormat>, Share>>> parts) {
        Map<Optional<StoredFormat>, Long> sums = new LinkedHashMap<>();
        parts.forEach(
                part -> part.getValue().forEach((format, share) -> sums.merge(format, share.parameters, Long::sum)));
        return sums.entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .flatMap(Map.Entry::getKey);
    }

    /// Describes the parts stored in another format than most.
    List<String> exceptions() {
        List<String> exceptions = new ArrayList<>();
        shares.forEach((part, formats) -> {
            Optional<StoredFormat> usual = part == ModulePart.ROUTED_EXPERTS ? experts() : others();
            formats.forEach((format, share) -> {
                if (!format.equals(usual)) {
                    exceptions.add(
                            part.words() + " of " + share.layers + (share.layers == 1 ? " layer is " : " layers are ")
                                    + words(format) + " in the checkpoint and priced as " + words(usual));
                }
            });
        });
        return exceptions;
    }

    private static String words(Optional<StoredFormat> format) {
        return format.map(StoredFormat::words).orElse("16 bits");
    }
}

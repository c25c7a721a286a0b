package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.StoredFormat.Activations;
import io.throughputoptimizer.core.model.StoredFormat.WeightType;
import io.throughputoptimizer.core.model.StoredQuantization;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The quantization scheme nearest to that of a checkpoint: equal bits per weight, then equal quantization of
/// the inputs of linear layers.
///
/// @param differences descriptions of the differences between both
public record NearestQuantization(String method, QuantizationScheme scheme, List<String> differences) {
    private static final int NV_BLOCK = 16;
    private static final double BITS_OF_BYTE = 8;
    private static final double PERCENT = 100;

    public NearestQuantization {
        differences = List.copyOf(differences);
    }

    /// Returns the nearest scheme; empty if the checkpoint states none or none is near ([#obstacle]).
    public static Optional<NearestQuantization> of(ModelArchitecture model) {
        StoredQuantization stored = model.stored();
        return stored == null || obstacle(model).isPresent()
                ? Optional.empty()
                : Optional.of(new NearestQuantization(stored.method(), scheme(stored, model), differences(stored)));
    }

    /// Returns the reason a checkpoint has no nearest scheme; empty if it has one.
    public static Optional<String> obstacle(ModelArchitecture model) {
        StoredQuantization stored = model.stored();
        if (stored == null) {
            return Optional.of("model " + model.id() + " names no quantization of its own");
        }
        if (stored.obstacle() != null) {
            return Optional.of(stored.obstacle());
        }
        return groupSizes(stored).count() > 1
                ? Optional.of("model " + model.id() + " has 4-bit floats in blocks of two sizes, and schemes have one")
                : Optional.empty();
    }

    private static QuantizationScheme scheme(StoredQuantization stored, ModelArchitecture model) {
        LinearQuantization others = linear(stored.others());
        LinearQuantization experts = model.experts().isPresent() ? linear(stored.experts()) : others;
        return new QuantizationScheme(
                experts,
                experts == others ? null : others,
                cache(stored.cache()),
                groupSizes(stored).findFirst().orElse(QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE));
    }

    private static Stream<Integer> groupSizes(StoredQuantization stored) {
        return formats(stored)
                .filter(format -> linear(format) == LinearQuantization.MXFP4)
                .map(format ->
                        format.type() == WeightType.NVFP4 ? NV_BLOCK : QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE)
                .distinct();
    }

    private static Stream<StoredFormat> formats(StoredQuantization stored) {
        return Stream.of(Optional.ofNullable(stored.experts()), Optional.ofNullable(stored.others()))
                .flatMap(Optional::stream)
                .distinct();
    }

    private static AttentionQuantization cache(StoredQuantization.@Nullable StoredCache cache) {
        return switch (cache) {
            case null -> AttentionQuantization.DISABLED;
            case FLOAT8 -> AttentionQuantization.FP8;
            case INT8 -> AttentionQuantization.INT8;
        };
    }

    private static LinearQuantization linear(@Nullable StoredFormat format) {
        if (format == null) {
            return LinearQuantization.DISABLED;
        }
        boolean fixed = format.activations() == Activations.STATIC;
        return switch (format.type()) {
            case FLOAT8 -> LinearQuantization.FP8;
            case INT8 -> {
                if (format.activations() == Activations.NONE) {
                    yield LinearQuantization.W8A16_DYNAMIC;
                }
                yield fixed ? LinearQuantization.W8A8_STATIC : LinearQuantization.W8A8_DYNAMIC;
            }
            case INT4 -> fixed ? LinearQuantization.W4A8_STATIC : LinearQuantization.W4A8_DYNAMIC;
            case NVFP4, MXFP4 -> LinearQuantization.MXFP4;
        };
    }

    private static List<String> differences(StoredQuantization stored) {
        Set<String> differences = new LinkedHashSet<>();
        formats(stored).forEach(format -> {
            differences.addAll(weights(format));
            differences.addAll(activations(format, linear(format)));
        });
        differences.addAll(stored.exceptions());
        return List.copyOf(differences);
    }

    /// Returns the differences in weight bytes that the scheme does not count.
    private static List<String> weights(StoredFormat format) {
        List<String> differences = new ArrayList<>();
        switch (format.type()) {
            case FLOAT8, INT8, INT4 -> {
                if (format.blockSize() > 0) {
                    differences.add(format.words() + ": the scale of each block is not counted, "
                            + percent(scaleBits(format) / (format.blockSize() * bits(format)))
                            + " of the bytes of the weights");
                }
                if (format.zeroPoints()) {
                    differences.add(format.words() + ": zero points are not counted");
                }
            }
            case NVFP4 ->
                differences.add("NVFP4 is priced as MXFP4 in blocks of 16: the same bytes but for one scale a tensor");
            case MXFP4 -> {}
        }
        return differences;
    }

    private static double bits(StoredFormat format) {
        return format.type() == WeightType.INT4 ? BITS_OF_BYTE / 2 : BITS_OF_BYTE;
    }

    /// Returns the bits of a scale: 32 for blocks of rows and columns, 16 for groups.
    private static double scaleBits(StoredFormat format) {
        return (format.block().size() > 1 ? 4 : 2) * BITS_OF_BYTE;
    }

    private static List<String> activations(StoredFormat format, LinearQuantization linear) {
        boolean floats = linear == LinearQuantization.MXFP4;
        return switch (format.activations()) {
            case NONE ->
                List.of("inputs of " + format.type() + " layers have 16 bits in the checkpoint; " + linear
                        + (floats ? " prices them with 4 bits" : " prices them with 8 bits"));
            case STATIC ->
                linear == LinearQuantization.FP8 || floats
                        ? List.of("inputs have stored scales; " + linear + " prices scales computed on the way")
                        : List.of();
            case DYNAMIC ->
                format.block().size() > 1
                        ? List.of("inputs are scaled in groups; " + linear + " prices one scale a tensor")
                        : List.of();
        };
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g%%", PERCENT * share);
    }
}

package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Matrix work of a deployment in a number format without a rate on the device. msmodeling neither emulates nor
/// rejects it: it takes no time, or that of another type.
///
/// @param format name in quantization schemes, such as `MXFP4`
/// @param part operators with this work
/// @param device name of the kind of device
/// @param pricedAs type whose rate is used instead; null if the work takes no time
public record UnratedWork(
        String format, Part part, String device, @Nullable DataType pricedAs) {

    /// Operators that multiply in a format.
    public enum Part {
        LINEAR_LAYERS,
        ATTENTION
    }

    /// Returns all unrated work of a model on a device.
    public static List<UnratedWork> of(ModelArchitecture model, DeviceProfile device, QuantizationScheme scheme) {
        List<UnratedWork> unrated = new ArrayList<>();
        linear(model, scheme)
                .filter(linear -> !isRated(linear, device))
                .map(linear ->
                        new UnratedWork(linear.name(), Part.LINEAR_LAYERS, device.name(), instead(linear, device)))
                .forEach(unrated::add);
        if (scheme.attention().isEnabled() && !isRated(model, scheme.attention(), device)) {
            unrated.add(new UnratedWork(scheme.attention().name(), Part.ATTENTION, device.name(), null));
        }
        return unrated;
    }

    /// Returns the distinct quantizations of the linear layers of a model.
    private static Stream<LinearQuantization> linear(ModelArchitecture model, QuantizationScheme scheme) {
        LinearQuantization others = scheme.nonExpertLinear();
        if (others == null) {
            return Stream.of(scheme.linear());
        }
        return model.experts().isEmpty()
                ? Stream.of(others)
                : Stream.of(scheme.linear(), others).distinct();
    }

    /// Returns whether the device lists a rate for every type a linear quantization multiplies in.
    public static boolean isRated(LinearQuantization linear, DeviceProfile device) {
        return rateTypes(linear).allMatch(type -> isRated(type, device));
    }

    /// Returns whether the device lists a rate for attention on a cache of that type.
    public static boolean isRated(ModelArchitecture model, AttentionQuantization cache, DeviceProfile device) {
        return isRated(cache.cacheType(), device) || !attendsInCacheType(model);
    }

    /// Returns the format itself and the type that the work is priced in, see
    /// [DeviceProfile.Compute#effectiveMatrixRate].
    private static Stream<DataType> rateTypes(LinearQuantization linear) {
        return switch (linear.weight()) {
            case HALF -> Stream.of(DataType.FLOAT16);
            case INT8, PACKED_INT4 -> Stream.of(DataType.INT8);
            case FP8 -> Stream.of(DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2);
            case MXFP4 -> Stream.of(DataType.INT4);
        };
    }

    private static @Nullable DataType instead(LinearQuantization linear, DeviceProfile device) {
        return linear.weight() == LinearQuantization.Weight.FP8 && isRated(DataType.INT8, device)
                ? DataType.INT8
                : null;
    }

    private static boolean isRated(DataType type, DeviceProfile device) {
        return device.compute().effectiveMatrixRate(type).isPresent();
    }

    /// Returns whether some attention multiplies in the cache type. Block-sparse, gated delta and compressed
    /// attention always multiply in float16 or float32.
    private static boolean attendsInCacheType(ModelArchitecture model) {
        return model.attentions().stream().anyMatch(attention -> switch (attention) {
            case AttentionSpec.GroupedQuery _, AttentionSpec.MultiHeadLatent _ -> true;
            case AttentionSpec.GatedDelta _, AttentionSpec.BlockSparse _, CompressedSpec _, HybridSpec _ -> false;
        });
    }

    public String description() {
        String work = switch (part) {
            case LINEAR_LAYERS -> " has no rate on " + device + ": its matrix work is priced ";
            case ATTENTION -> " of the KV cache has no rate on " + device + ": the matrix work of attention is priced ";
        };
        return format + work + (pricedAs == null ? "as free" : "at the rate of " + pricedAs.label());
    }
}

package io.throughputoptimizer.core.kernels.calibration;

import java.util.List;
import java.util.stream.Stream;

/// Type of an attention module, which is everything from the first projection to the output projection.
///
/// @param fp8 whether its products are in FP8 by blocks; else in bfloat16
/// @param fp8Cache whether its cache is in FP8; else in bfloat16
/// @param sharedIndex whether its layer uses the selection of another layer
public record ModuleType(boolean fp8, boolean fp8Cache, boolean sharedIndex) {
    /// Returns the type of its matrix products.
    public ProductType product() {
        return fp8 ? ProductType.FP8_BLOCK : ProductType.BFLOAT16;
    }

    /// Returns the name in a calibration, such as `fp8_block/kv_bf16`.
    public String label() {
        return product().label() + "/kv_" + (fp8Cache ? "fp8" : "bf16") + (sharedIndex ? KernelClass.SHARED_INDEX : "");
    }

    /// Returns the names of all types, those with a shared index last.
    static List<String> labels(boolean withSharedIndex) {
        return all().filter(type -> withSharedIndex || !type.sharedIndex)
                .map(ModuleType::label)
                .toList();
    }

    /// Returns the names of types whose sets may price a type, itself first: the same products with the other
    /// cache, the other products with the same cache, the other with the other; for a shared index all types
    /// with it before any without. A name that is no module has only itself.
    static List<String> standIns(String label) {
        return all().filter(type -> type.label().equals(label))
                .findFirst()
                .map(type -> Stream.concat(
                                type.nearest(),
                                type.sharedIndex ? type.indexing().nearest() : Stream.empty())
                        .map(ModuleType::label)
                        .toList())
                .orElse(List.of(label));
    }

    private static Stream<ModuleType> all() {
        ModuleType plain = new ModuleType(false, false, false);
        return Stream.concat(plain.nearest(), new ModuleType(false, false, true).nearest());
    }

    private ModuleType indexing() {
        return new ModuleType(fp8, fp8Cache, false);
    }

    private Stream<ModuleType> nearest() {
        return Stream.of(
                this,
                new ModuleType(fp8, !fp8Cache, sharedIndex),
                new ModuleType(!fp8, fp8Cache, sharedIndex),
                new ModuleType(!fp8, !fp8Cache, sharedIndex));
    }
}

package io.throughputoptimizer.api.request;

import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The name of a checkpoint, whose end can tell its weight format.
public record CheckpointName(String name) {
    private static final String FORMATS = "(?i)-(fp8|nvfp4|fp4|mxfp4|awq|gptq|int4|int8|w8a8|w4a16).*$";

    /// Returns the name without the weight format at its end.
    public String base() {
        return name.replaceFirst(FORMATS, "");
    }

    /// Returns the name, or the base of a name that the catalog does not have.
    ///
    /// @param isModel true for model ids of the catalog
    public String modelId(Predicate<String> isModel) {
        return !isModel.test(name) && isModel.test(base()) ? base() : name;
    }

    /// Returns the weight format that the name tells, BF16 if it tells none, or null if it tells several formats.
    public @Nullable String scheme() {
        String low = name.toLowerCase(Locale.ROOT);
        if (low.contains("fp8")) {
            return "FP8";
        }
        if (low.contains("fp4")) {
            return "NVFP4";
        }
        return low.matches("(?s).*(awq|gptq|int4|w4a16|int8|w8a8).*") ? null : "BF16";
    }
}

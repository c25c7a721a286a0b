package io.throughputoptimizer.api.reading;

import io.throughputoptimizer.api.WireFormat;
import org.jspecify.annotations.Nullable;

/// Members set in the body of a request, if their defaults decide the assumptions of the response. The effective
/// request does not tell, because it has all defaults filled in.
public record ExplicitFields(
        @Nullable Object devices,
        @Nullable Object numDevices,
        @Nullable Engine engine,
        @Nullable Quantization quantization,
        @Nullable Workload workload,
        @Nullable Serving serving,
        @Nullable Object speculation) {

    /// Members of `engine`.
    record Engine(@Nullable Object kvCache) {}

    /// Members of `quantization`.
    record Quantization(
            @Nullable Object linear,
            @Nullable Object nonExpertLinear,
            @Nullable Object attention,
            @Nullable Object checkpoint,
            @Nullable Object scheme) {}

    /// Members of `workload`.
    record Workload(
            @Nullable Object prefixCacheHitRate, @Nullable Object conversation) {}

    /// Members of `serving`.
    record Serving(@Nullable Object numMtpTokens) {}

    /// @param json body of an optimization
    public static ExplicitFields of(String json) {
        return WireFormat.readStored(json, ExplicitFields.class);
    }

    /// Returns whether the body sets the weight format, for either cost model.
    public boolean namesWeights() {
        return quantization != null
                && (quantization.linear != null
                        || quantization.nonExpertLinear != null
                        || Boolean.TRUE.equals(quantization.checkpoint)
                        || quantization.scheme != null);
    }

    /// Returns whether the body sets the KV cache type, for either cost model.
    public boolean namesCache() {
        return (engine != null && engine.kvCache != null) || (quantization != null && quantization.attention != null);
    }

    public boolean namesPrefixCache() {
        return workload != null && (workload.prefixCacheHitRate != null || workload.conversation != null);
    }

    public boolean namesDrafts() {
        return speculation != null || (serving != null && serving.numMtpTokens != null);
    }

    public boolean namesDevices() {
        return devices != null || (numDevices != null && !(numDevices instanceof Number));
    }
}

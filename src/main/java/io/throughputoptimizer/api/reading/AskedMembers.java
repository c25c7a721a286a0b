package io.throughputoptimizer.api.reading;

import io.throughputoptimizer.api.WireFormat;
import org.jspecify.annotations.Nullable;

/// Which members the body of a request names whose defaults decide what an answer assumes. The effective request does
/// not tell: everything is filled in there.
public record AskedMembers(
        @Nullable Object devices,
        @Nullable Object numDevices,
        @Nullable Engine engine,
        @Nullable Quantization quantization,
        @Nullable Workload workload,
        @Nullable Serving serving,
        @Nullable Object speculation) {

    /// Of `engine`.
    record Engine(@Nullable Object kvCache) {}

    /// Of `quantization`.
    record Quantization(
            @Nullable Object linear,
            @Nullable Object nonExpertLinear,
            @Nullable Object attention,
            @Nullable Object checkpoint,
            @Nullable Object scheme) {}

    /// Of `workload`.
    record Workload(
            @Nullable Object prefixCacheHitRate, @Nullable Object conversation) {}

    /// Of `serving`.
    record Serving(@Nullable Object numMtpTokens) {}

    /// @param json body of an optimization
    public static AskedMembers of(String json) {
        return WireFormat.readStored(json, AskedMembers.class);
    }

    /// Whether it says how the weights are quantized, of either cost model.
    public boolean namesWeights() {
        return quantization != null
                && (quantization.linear != null
                        || quantization.nonExpertLinear != null
                        || Boolean.TRUE.equals(quantization.checkpoint)
                        || quantization.scheme != null);
    }

    /// Whether it says what the KV cache holds, of either cost model.
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

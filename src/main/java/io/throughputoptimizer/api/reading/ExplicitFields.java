package io.throughputoptimizer.api.reading;

import io.throughputoptimizer.api.WireFormat;
import java.util.Set;
import java.util.stream.Stream;

/// Fields set in the body of a request, if their defaults decide the assumptions of the response. The effective
/// request does not tell, because it has all defaults filled in.
///
/// @param pointers pointers of the fields, to the second level
public record ExplicitFields(Set<String> pointers) {
    /// @param json body of an optimization
    public static ExplicitFields of(String json) {
        return new ExplicitFields(WireFormat.given(json));
    }

    /// Returns whether the body sets the weight format, for either cost model.
    public boolean namesWeights() {
        return Stream.of("linear", "non_expert_linear", "checkpoint", "scheme")
                .anyMatch(field -> pointers.contains("/quantization/" + field));
    }

    /// Returns whether the body sets the KV cache type, for either cost model.
    public boolean namesCache() {
        return pointers.contains("/engine/kv_cache_dtype") || pointers.contains("/quantization/attention");
    }

    public boolean namesPrefixCache() {
        return pointers.contains("/workload/prefix_cache_hit_rate") || pointers.contains("/workload/conversation");
    }

    public boolean namesDrafts() {
        return pointers.contains("/speculation") || pointers.contains("/serving/num_mtp_tokens");
    }

    /// Returns whether the body names the engine.
    public boolean namesEngine() {
        return pointers.contains("/engine/backend");
    }
}

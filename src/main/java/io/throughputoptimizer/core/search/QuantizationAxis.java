package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.search.Candidate.Trait;
import java.util.List;
import java.util.stream.Stream;

/// Quantizations to try: each of the linear layers with each of the KV cache.
///
/// @param linear at least one; duplicates are tried once
/// @param attention at least one; duplicates are tried once
/// @param mxfp4GroupSize elements that share one scale under MXFP4
public record QuantizationAxis(
        List<LinearQuantization> linear, List<AttentionQuantization> attention, int mxfp4GroupSize) implements Axis {
    public QuantizationAxis {
        linear = List.copyOf(linear);
        attention = List.copyOf(attention);
    }

    /// A single quantization.
    public static QuantizationAxis of(QuantizationScheme scheme) {
        return new QuantizationAxis(List.of(scheme.linear()), List.of(scheme.attention()), scheme.mxfp4GroupSize());
    }

    /// That with the first values.
    public QuantizationScheme first() {
        return scheme(linear.getFirst(), attention.getFirst());
    }

    @Override
    public int size() {
        return Axis.different(linear) * Axis.different(attention);
    }

    @Override
    public Stream<Candidate> over(Candidate candidate) {
        return Axis.each(
                        linear,
                        Trait.LINEAR_QUANTIZATION,
                        candidate,
                        (one, with) -> one.with(scheme(with, attention.getFirst())))
                .flatMap(one -> Axis.each(
                        attention,
                        Trait.CACHE_QUANTIZATION,
                        one,
                        (two, with) ->
                                two.with(scheme(two.deployment().quantization().linear(), with))));
    }

    QuantizationScheme scheme(LinearQuantization ofLinear, AttentionQuantization ofCache) {
        return new QuantizationScheme(ofLinear, ofCache, mxfp4GroupSize);
    }
}

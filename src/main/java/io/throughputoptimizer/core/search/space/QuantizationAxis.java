package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.search.space.Candidate.Trait;
import java.util.List;
import java.util.stream.Stream;

/// Quantizations to try: each combination of linear layers, linear layers outside routed experts, and KV cache.
///
/// @param linear quantizations of linear layers, at least one; duplicates are tried once
/// @param nonExpertLinear quantizations of all linear layers except routed experts; empty if they follow
///     `linear`; duplicates are tried once
/// @param attention quantizations of the KV cache, at least one; duplicates are tried once
/// @param mxfp4GroupSize elements that share one scale under MXFP4
public record QuantizationAxis(
        List<LinearQuantization> linear,
        List<LinearQuantization> nonExpertLinear,
        List<AttentionQuantization> attention,
        int mxfp4GroupSize)
        implements Axis {
    public QuantizationAxis {
        linear = List.copyOf(linear);
        nonExpertLinear = List.copyOf(nonExpertLinear);
        attention = List.copyOf(attention);
    }

    /// Creates an axis with one scheme for all linear layers of a candidate.
    public QuantizationAxis(
            List<LinearQuantization> linear, List<AttentionQuantization> attention, int mxfp4GroupSize) {
        this(linear, List.of(), attention, mxfp4GroupSize);
    }

    /// Returns an axis with a single quantization.
    public static QuantizationAxis of(QuantizationScheme scheme) {
        LinearQuantization nonExpert = scheme.nonExpertLinear();
        return new QuantizationAxis(
                List.of(scheme.linear()),
                nonExpert == null ? List.of() : List.of(nonExpert),
                List.of(scheme.attention()),
                scheme.mxfp4GroupSize());
    }

    /// Returns the quantization with the first values.
    public QuantizationScheme first() {
        QuantizationScheme uniform = new QuantizationScheme(linear.getFirst(), attention.getFirst(), mxfp4GroupSize);
        return nonExpertLinear.isEmpty() ? uniform : uniform.withNonExpertLinear(nonExpertLinear.getFirst());
    }

    @Override
    public int size() {
        return Axis.different(linear) * Math.max(1, Axis.different(nonExpertLinear)) * Axis.different(attention);
    }

    @Override
    public Stream<Candidate> over(Candidate candidate) {
        return Axis.each(
                        linear,
                        Trait.LINEAR_QUANTIZATION,
                        candidate,
                        (one, with) -> one.with(scheme(one).withLinear(with)))
                .flatMap(this::overNonExperts)
                .flatMap(one -> Axis.each(
                        attention,
                        Trait.CACHE_QUANTIZATION,
                        one,
                        (two, with) -> two.with(scheme(two).withAttention(with))));
    }

    /// Returns the candidate with each non-expert quantization. The trait is always set: without it, a
    /// candidate would look uniformly quantized.
    private Stream<Candidate> overNonExperts(Candidate candidate) {
        return nonExpertLinear.isEmpty()
                ? Stream.of(candidate)
                : Axis.each(
                        nonExpertLinear,
                        Trait.NON_EXPERT_QUANTIZATION,
                        candidate.with(Trait.NON_EXPERT_QUANTIZATION),
                        (one, with) -> one.with(scheme(one).withNonExpertLinear(with)));
    }

    private static QuantizationScheme scheme(Candidate candidate) {
        return candidate.deployment().quantization();
    }

    /// Returns all distinct schemes with that KV cache quantization.
    public List<QuantizationScheme> with(AttentionQuantization ofCache) {
        return linear.stream()
                .distinct()
                .map(first()::withLinear)
                .map(scheme -> scheme.withAttention(ofCache))
                .flatMap(scheme -> nonExpertLinear.isEmpty()
                        ? Stream.of(scheme)
                        : nonExpertLinear.stream().distinct().map(scheme::withNonExpertLinear))
                .toList();
    }
}

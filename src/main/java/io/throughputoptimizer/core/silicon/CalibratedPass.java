package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.MeasuredAttention;
import io.throughputoptimizer.core.silicon.Engine.PassFactors;
import io.throughputoptimizer.core.silicon.SiliconDeployment.MeasuredLayers;
import io.throughputoptimizer.core.silicon.calibration.Basis;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import io.throughputoptimizer.core.silicon.kernel.Kernels;
import io.throughputoptimizer.core.steady.StepTimes;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Forward passes of a deployment, priced as the plain sum of the kernels that an engine launches. All parameters are
/// looked up when it is made; a price is then some arithmetic for each kind of kernel, and makes nothing.
///
/// Batches and lengths may be fractions: they are means. A step that decodes and works on prompts costs both.
public final class CalibratedPass implements StepTimes {
    /// Version of the laws that passes are priced by and bands belong to. In the first,
    /// all-reduces of any number of ranks had joint parameters, and prompts of models with
    /// experts no factors of their own.
    public static final int LAWS = 2;

    private final PhaseOperators decode;
    private final PhaseOperators prefill;

    private CalibratedPass(PhaseOperators decode, PhaseOperators prefill) {
        this.decode = decode;
        this.prefill = prefill;
    }

    /// Passes of a deployment.
    ///
    /// @throws IllegalArgumentException if it has an obstacle
    public static CalibratedPass of(SiliconDeployment deployment) {
        deployment.obstacle().ifPresent(obstacle -> {
            throw new IllegalArgumentException(obstacle.reason());
        });
        return new CalibratedPass(operators(deployment, Phase.DECODE), operators(deployment, Phase.PREFILL));
    }

    private static PhaseOperators operators(SiliconDeployment deployment, Phase phase) {
        Kernels kernels =
                new Kernels(deployment.calibration(), deployment.engine().backend());
        PassFactors factors = deployment.engine().factors();
        PassBuilder pass = new PassBuilder(kernels, kind -> factors.of(phase, kind));
        double hidden = deployment.model().hiddenSize();
        pass.move("embedding", 1, 4 * hidden);
        AttentionOperators attention = new AttentionOperators(deployment, phase, pass);
        layersByAttention(deployment.layers()).forEach(attention::write);
        FeedForwardOperators feedForward = new FeedForwardOperators(deployment, pass);
        layersByFeedForward(deployment.layers()).forEach(feedForward::write);
        pass.move("final_norm", 1, 8 * hidden);
        pass.head(deployment.layout().tp(), deployment.model().vocabularySize(), hidden);
        return pass.built();
    }

    /// Layers by attention, and within it by how far it sees.
    private static Map<MeasuredAttention, SortedMap<Integer, Integer>> layersByAttention(List<MeasuredLayers> groups) {
        Map<MeasuredAttention, SortedMap<Integer, Integer>> layers = new LinkedHashMap<>();
        for (MeasuredLayers group : groups) {
            MeasuredAttention unbounded = switch (group.attention()) {
                case AttentionSpec.GroupedQuery grouped -> grouped.within(0);
                case AttentionSpec.MultiHeadLatent latent -> latent;
            };
            int window = group.attention() instanceof AttentionSpec.GroupedQuery grouped ? grouped.window() : 0;
            layers.computeIfAbsent(unbounded, _ -> new TreeMap<>()).merge(window, group.count(), Integer::sum);
        }
        return layers;
    }

    private static Map<FeedForwardSpec, Integer> layersByFeedForward(List<MeasuredLayers> groups) {
        Map<FeedForwardSpec, Integer> layers = new LinkedHashMap<>();
        groups.forEach(group -> layers.merge(group.feedForward(), group.count(), Integer::sum));
        return layers;
    }

    /// Milliseconds of a step that gives `requests` of this rank one token each.
    ///
    /// @param context their cached tokens in sum
    @Override
    public double decode(double requests, double context) {
        return decodeOutsideAttention(requests) + decodeAttention(requests, context);
    }

    /// The part of [#decode] that does not depend on the context.
    @Override
    public double decodeOutsideAttention(double requests) {
        return decode.outsideAttention(requests, requests);
    }

    /// The part of [#decode] that depends on the context.
    @Override
    public double decodeAttention(double requests, double context) {
        return decode.attention(requests, context);
    }

    /// Milliseconds of a step over prompt tokens of this rank, of which one row of logits is asked.
    ///
    /// @param pairs visible pairs of query and key: `s^2/2` for a prompt of `s` tokens, `x c + x^2/2` for `x`
    ///     tokens after `c` cached ones
    @Override
    public double prefill(double tokens, double pairs) {
        return prefillOutsideAttention(tokens) + prefillAttention(tokens, pairs);
    }

    /// The part of [#prefill] that does not depend on the pairs.
    @Override
    public double prefillOutsideAttention(double tokens) {
        return prefill.outsideAttention(tokens, 1);
    }

    /// The part of [#prefill] that depends on the pairs.
    @Override
    public double prefillAttention(double tokens, double pairs) {
        return prefill.attention(tokens, pairs);
    }

    /// The parts of [#decode].
    public PassSplit decodeSplit(double requests, double context) {
        return decode.split(requests, requests, context);
    }

    /// The parts of [#prefill].
    public PassSplit prefillSplit(double tokens, double pairs) {
        return prefill.split(tokens, 1, pairs);
    }

    /// The operators of a decode step.
    public List<OperatorTime> decodeOperators(double requests, double context) {
        return decode.times(requests, requests, context);
    }

    /// The operators of a step over prompts, each of which asks one row of logits.
    public List<OperatorTime> prefillOperators(double prompts, double tokens, double pairs) {
        return prefill.times(tokens, prompts, pairs);
    }

    /// Kernels of decode steps whose price is based on neither the backend's own nor the joint measurements.
    public List<KernelUse> unexpectedDecodeUses() {
        return unexpected(decode.uses().stream());
    }

    /// Kernels of steps over prompts, likewise.
    public List<KernelUse> unexpectedPrefillUses() {
        return unexpected(prefill.uses().stream());
    }

    /// Kernels of either kind of step, likewise.
    public List<KernelUse> unexpectedUses() {
        return unexpected(Stream.concat(decode.uses().stream(), prefill.uses().stream()));
    }

    /// What the prices of [#unexpectedUses()] are based on.
    public List<Basis> unexpectedBases() {
        return unexpectedUses().stream().map(KernelUse::basis).distinct().toList();
    }

    private static List<KernelUse> unexpected(Stream<KernelUse> uses) {
        return uses.filter(use -> !use.basis().isExpected())
                .distinct()
                .sorted(Comparator.comparing(KernelUse::toString))
                .toList();
    }
}

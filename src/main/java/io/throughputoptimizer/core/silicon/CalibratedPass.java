package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.BlockResiduals;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.silicon.Engine.PassFactors;
import io.throughputoptimizer.core.silicon.calibration.Basis;
import io.throughputoptimizer.core.silicon.calibration.KernelClass;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import io.throughputoptimizer.core.silicon.kernel.Collective;
import io.throughputoptimizer.core.silicon.kernel.Kernels;
import io.throughputoptimizer.core.steady.StepTimes;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    /// Tokens of a sequence in a step that decodes.
    private final int query;
    /// Absent where steps draft nothing.
    private final @Nullable Drafting drafting;

    private CalibratedPass(PhaseOperators decode, PhaseOperators prefill, int query, @Nullable Drafting drafting) {
        this.decode = decode;
        this.prefill = prefill;
        this.query = query;
        this.drafting = drafting;
    }

    /// The rest of a step that verifies drafts.
    ///
    /// @param pass of one draft of each request
    private record Drafting(PhaseOperators pass, Speculation speculation) {
        double outsideAttention(double requests) {
            return speculation.drafts() * pass.outsideAttention(requests, requests)
                    + speculation.requestMillis() * requests;
        }

        double attention(double requests, double context) {
            return speculation.drafts() * pass.attention(requests, context);
        }

        Stream<OperatorTime> operators(double requests, double context) {
            return pass.times(requests, requests, context).stream()
                    .map(one -> new OperatorTime(
                            "draft_" + one.name(),
                            one.kind(),
                            speculation.drafts() * one.calls(),
                            one.microseconds(),
                            one.use()));
        }
    }

    /// Passes of a deployment, whose decode steps draft and verify as its speculation says.
    ///
    /// @throws IllegalArgumentException if it has an obstacle
    public static CalibratedPass of(SiliconDeployment deployment) {
        Speculation speculation = deployment.speculation();
        if (speculation == null || !speculation.drafting()) {
            return verifying(deployment, 0);
        }
        CalibratedPass verifying = verifying(deployment, speculation.drafts());
        return new CalibratedPass(
                verifying.decode,
                verifying.prefill,
                verifying.query,
                new Drafting(drafts(deployment.ofDrafts()), speculation));
    }

    /// Passes of a deployment whose steps verify drafts: each computes so many tokens more of a
    /// sequence, all of them rows of logits, and reads its cache once.
    ///
    /// @param drafts tokens that are verified beside the next one; 0 for usual passes
    /// @throws IllegalArgumentException if it has an obstacle
    public static CalibratedPass verifying(SiliconDeployment deployment, int drafts) {
        deployment.obstacle().ifPresent(obstacle -> {
            throw new IllegalArgumentException(obstacle.reason());
        });
        Step step = new Step(Phase.DECODE, drafts + 1);
        return new CalibratedPass(
                operators(deployment, step), operators(deployment, new Step(Phase.PREFILL, 1)), step.query(), null);
    }

    /// One draft of each request: its last token and the state before it joined, and a layer with
    /// embedding and head.
    private static PhaseOperators drafts(SiliconDeployment deployment) {
        PassBuilder pass = written(deployment, new Step(Phase.DECODE, 1));
        double hidden = deployment.model().hiddenSize();
        pass.move("joined", 1, 8 * hidden);
        pass.linear("join", 1, deployment.precision().scheme().dense(), hidden, 2 * hidden);
        return pass.built();
    }

    private static PhaseOperators operators(SiliconDeployment deployment, Step step) {
        return written(deployment, step).built();
    }

    private static PassBuilder written(SiliconDeployment deployment, Step step) {
        Kernels kernels =
                new Kernels(deployment.calibration(), deployment.engine().backend());
        PassFactors factors = deployment.engine().factors();
        PassBuilder pass = new PassBuilder(step, kernels, kind -> factors.of(step.phase(), kind));
        ModelArchitecture model = deployment.model();
        double hidden = model.hiddenSize();
        pass.move("embedding", 1, 4 * hidden);
        writeAttention(deployment, pass);
        FeedForwardOperators feedForward = new FeedForwardOperators(deployment, pass);
        layersByFeedForward(model.groups()).forEach(feedForward::write);
        pass.move("final_norm", 1, 8 * hidden);
        pass.head(deployment.layout().tp(), model.vocabularySize(), hidden);
        return pass;
    }

    /// The attention half of all layers and the norm behind it. Mixtures of several residual
    /// streams, those of the feed-forward half among them, are written with it, and hold the norms.
    private static void writeAttention(SiliconDeployment deployment, PassBuilder pass) {
        ModelArchitecture model = deployment.model();
        int layers = model.layers();
        double hidden = model.hiddenSize();
        boolean mixes = model.connections() instanceof HyperConnections;
        if (mixes) {
            pass.move("hyper_pre", layers, KernelClass.HYPER_PRE, 20 * hidden);
        } else {
            pass.move("attention_norm", layers, 8 * hidden);
        }
        deployment.attention().forEach(ofKind -> ofKind.write(pass));
        if (model.connections() instanceof BlockResiduals) {
            pass.move("attention_residual", 2 * layers, 12 * hidden);
        }
        if (mixes) {
            pass.move("hyper_post", layers, KernelClass.HYPER_POST, 36 * hidden);
        }
        pass.collective(
                "attention_all_reduce",
                layers,
                Collective.Kind.ALL_REDUCE,
                deployment.layout().tp(),
                2 * hidden);
        if (!mixes) {
            pass.move("mlp_norm", layers, 8 * hidden);
        }
    }

    private static Map<FeedForwardSpec, Integer> layersByFeedForward(List<LayerGroup> groups) {
        Map<FeedForwardSpec, Integer> layers = new LinkedHashMap<>();
        groups.forEach(group -> layers.merge(whateverRoutes(group.feedForward()), group.count(), Integer::sum));
        return layers;
    }

    /// Routers were not measured one by one: a product and a choice stand for all.
    private static FeedForwardSpec whateverRoutes(FeedForwardSpec feedForward) {
        return switch (feedForward) {
            case FeedForwardSpec.Dense dense -> dense;
            case FeedForwardSpec.RoutedExperts routed -> routed.routedBy(new Router.Softmax());
        };
    }

    /// Milliseconds of a step that gives `requests` of this rank [#tokensPerStep] each.
    ///
    /// @param context their cached tokens in sum
    @Override
    public double decode(double requests, double context) {
        return decodeOutsideAttention(requests) + decodeAttention(requests, context);
    }

    /// The part of [#decode] that does not depend on the context.
    @Override
    public double decodeOutsideAttention(double requests) {
        double outside = decode.outsideAttention(requests * query, requests * query);
        return drafting == null ? outside : outside + drafting.outsideAttention(requests);
    }

    /// The part of [#decode] that depends on the context.
    @Override
    public double decodeAttention(double requests, double context) {
        double attention = decode.attention(requests * query, context);
        return drafting == null ? attention : attention + drafting.attention(requests, context);
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

    @Override
    public double tokensPerStep() {
        return drafting == null ? 1 : drafting.speculation.accepted();
    }

    @Override
    public int tokensComputed() {
        return query;
    }

    /// What a decode step of that many requests consists of; absent where it drafts nothing.
    public Speculation.@Nullable StepParts stepParts(double requests, double context) {
        if (drafting == null) {
            return null;
        }
        double verify = decode.outsideAttention(requests * query, requests * query)
                + decode.attention(requests * query, context);
        double ofRequests = drafting.speculation.requestMillis() * requests;
        double drafts = drafting.outsideAttention(requests) - ofRequests + drafting.attention(requests, context);
        return new Speculation.StepParts(verify, drafts, ofRequests);
    }

    private Stream<KernelUse> decodeUses() {
        return drafting == null
                ? decode.uses().stream()
                : Stream.concat(decode.uses().stream(), drafting.pass.uses().stream());
    }

    /// The parts of [#decode] of steps that draft nothing.
    public PassSplit decodeSplit(double requests, double context) {
        return decode.split(requests, requests, context);
    }

    /// The parts of [#prefill].
    public PassSplit prefillSplit(double tokens, double pairs) {
        return prefill.split(tokens, 1, pairs);
    }

    /// The operators of a decode step.
    public List<OperatorTime> decodeOperators(double requests, double context) {
        List<OperatorTime> own = decode.times(requests * query, requests * query, context);
        return drafting == null
                ? own
                : Stream.concat(own.stream(), drafting.operators(requests, context))
                        .toList();
    }

    /// The operators of a step over prompts, each of which asks one row of logits.
    public List<OperatorTime> prefillOperators(double prompts, double tokens, double pairs) {
        return prefill.times(tokens, prompts, pairs);
    }

    /// Kernels of decode steps whose price is based on neither the backend's own nor the joint measurements.
    public List<KernelUse> unexpectedDecodeUses() {
        return unexpected(decodeUses());
    }

    /// Kernels of steps over prompts, likewise.
    public List<KernelUse> unexpectedPrefillUses() {
        return unexpected(prefill.uses().stream());
    }

    /// Kernels of either kind of step, likewise.
    public List<KernelUse> unexpectedUses() {
        return unexpected(Stream.concat(decodeUses(), prefill.uses().stream()));
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

package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.Engine.PassFactors;
import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.operator.Collective;
import io.throughputoptimizer.core.kernels.operator.Kernels;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import io.throughputoptimizer.core.model.BlockResiduals;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.SandwichNorms;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Forward passes of a deployment, priced as the sum of the kernels that an engine launches. All parameters are
/// looked up on creation; a price then takes some arithmetic per kind of kernel, without allocation.
///
/// Batches and lengths may be fractional: they are means. A mixed step costs the sum of its decode and prefill
/// parts.
public final class CalibratedPass implements StepTimes {
    /// Version of the laws that price passes and of their prediction intervals. In version 1, all-reduces of
    /// any number of ranks had joint parameters, and prompts of models with experts no factors of their own.
    public static final int LAWS = 2;

    private final PhaseOperators decode;
    private final PhaseOperators prefill;
    /// Tokens of a sequence in a decode step.
    private final int query;
    /// Drafting; absent if steps do not draft.
    private final @Nullable Drafting drafting;

    private CalibratedPass(PhaseOperators decode, PhaseOperators prefill, int query, @Nullable Drafting drafting) {
        this.decode = decode;
        this.prefill = prefill;
        this.query = query;
        this.drafting = drafting;
    }

    /// Drafting part of a step that verifies drafts.
    ///
    /// @param pass pass of one draft of each request
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

    /// Returns the passes of a deployment, whose decode steps draft and verify according to its speculation.
    ///
    /// @throws IllegalArgumentException if the deployment is not supported
    public static CalibratedPass of(CalibratedDeployment deployment) {
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

    /// Returns the passes of a deployment whose steps verify drafts: each computes `drafts` more tokens of a
    /// sequence, all with a row of logits, and reads its cache once.
    ///
    /// @param drafts tokens verified in addition to the next one; 0 without speculation
    /// @throws IllegalArgumentException if the deployment is not supported
    public static CalibratedPass verifying(CalibratedDeployment deployment, int drafts) {
        deployment.obstacle().ifPresent(obstacle -> {
            throw new IllegalArgumentException(obstacle.reason());
        });
        Step step = new Step(Phase.DECODE, drafts + 1);
        return new CalibratedPass(
                operators(deployment, step), operators(deployment, new Step(Phase.PREFILL, 1)), step.query(), null);
    }

    /// Returns the operators of one draft of each request: the join of its last token with the previous state,
    /// and a layer with embedding and head.
    private static PhaseOperators drafts(CalibratedDeployment deployment) {
        PassBuilder pass = written(deployment, new Step(Phase.DECODE, 1));
        double hidden = deployment.model().hiddenSize();
        pass.move("joined", 1, 8 * hidden);
        pass.linear("join", 1, deployment.precision().scheme().dense(), hidden, 2 * hidden);
        return pass.built();
    }

    private static PhaseOperators operators(CalibratedDeployment deployment, Step step) {
        return written(deployment, step).built();
    }

    private static PassBuilder written(CalibratedDeployment deployment, Step step) {
        Kernels kernels =
                new Kernels(deployment.calibration(), deployment.engine().backend(), deployment.hasSymmetricWeights());
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

    /// Adds the attention half of all layers and the norm after it. Mixtures of several residual streams,
    /// including those of the feed-forward half, are added with it and contain the norms.
    private static void writeAttention(CalibratedDeployment deployment, PassBuilder pass) {
        ModelArchitecture model = deployment.model();
        int layers = layers(model, LayerGroup::attends);
        int feedForward = layers(model, LayerGroup::feedsForward);
        double hidden = model.hiddenSize();
        boolean mixes = model.connections() instanceof HyperConnections;
        if (mixes) {
            pass.move("hyper_pre", layers, KernelClass.HYPER_PRE, 20 * hidden);
        } else {
            pass.move("attention_norm", layers, 8 * hidden);
        }
        deployment.attention().forEach(ofKind -> ofKind.write(pass));
        if (model.connections() instanceof SandwichNorms norms && norms.before()) {
            pass.move("post_norm", layers + feedForward, 4 * hidden);
        }
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
            pass.move("mlp_norm", feedForward, 8 * hidden);
        }
    }

    private static int layers(ModelArchitecture model, Predicate<LayerGroup> kind) {
        return model.groups().stream().filter(kind).mapToInt(LayerGroup::count).sum();
    }

    private static Map<FeedForwardSpec, Integer> layersByFeedForward(List<LayerGroup> groups) {
        Map<FeedForwardSpec, Integer> layers = new LinkedHashMap<>();
        groups.forEach(group -> layers.merge(whateverRoutes(group.feedForward()), group.count(), Integer::sum));
        return layers;
    }

    /// Returns the feed-forward part with a softmax router: routers were not measured separately, so one
    /// product and one selection represent all.
    private static FeedForwardSpec whateverRoutes(FeedForwardSpec feedForward) {
        return switch (feedForward) {
            case FeedForwardSpec.Dense _, FeedForwardSpec.Absent _ -> feedForward;
            case FeedForwardSpec.RoutedExperts routed -> routed.routedBy(new Router.Softmax());
        };
    }

    /// Returns the milliseconds of a step that gives `requests` of this rank [#tokensPerStep] each.
    ///
    /// @param context their total cached tokens
    @Override
    public double decode(double requests, double context) {
        return decodeOutsideAttention(requests) + decodeAttention(requests, context);
    }

    /// Returns the part of [#decode] that does not depend on the context.
    @Override
    public double decodeOutsideAttention(double requests) {
        double outside = decode.outsideAttention(requests * query, requests * query);
        return drafting == null ? outside : outside + drafting.outsideAttention(requests);
    }

    /// Returns the part of [#decode] that depends on the context.
    @Override
    public double decodeAttention(double requests, double context) {
        double attention = decode.attention(requests * query, context);
        return drafting == null ? attention : attention + drafting.attention(requests, context);
    }

    /// Returns the milliseconds of a step over prompt tokens of this rank with one row of logits.
    ///
    /// @param pairs visible pairs of query and key: `s^2/2` for a prompt of `s` tokens, `x c + x^2/2` for `x`
    ///     tokens after `c` cached ones
    @Override
    public double prefill(double tokens, double pairs) {
        return prefillOutsideAttention(tokens) + prefillAttention(tokens, pairs);
    }

    /// Returns the part of [#prefill] that does not depend on the pairs.
    @Override
    public double prefillOutsideAttention(double tokens) {
        return prefill.outsideAttention(tokens, 1);
    }

    /// Returns the part of [#prefill] that depends on the pairs.
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

    /// Returns the parts of a decode step of `requests` requests; absent without drafts.
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

    /// Returns the time split of [#decode] for steps without drafts.
    public PassSplit decodeSplit(double requests, double context) {
        return decode.split(requests, requests, context);
    }

    /// Returns the time split of [#prefill].
    public PassSplit prefillSplit(double tokens, double pairs) {
        return prefill.split(tokens, 1, pairs);
    }

    /// Returns the operators of a decode step.
    public List<OperatorTime> decodeOperators(double requests, double context) {
        List<OperatorTime> own = decode.times(requests * query, requests * query, context);
        return drafting == null
                ? own
                : Stream.concat(own.stream(), drafting.operators(requests, context))
                        .toList();
    }

    /// Returns the operators of a step over prompts, each with one row of logits.
    public List<OperatorTime> prefillOperators(double prompts, double tokens, double pairs) {
        return prefill.times(tokens, prompts, pairs);
    }

    /// Returns the kernels of decode steps priced by neither the backend's own nor the joint measurements.
    public List<KernelUse> unexpectedDecodeUses() {
        return unexpected(decodeUses());
    }

    /// Returns the kernels of prefill steps, likewise.
    public List<KernelUse> unexpectedPrefillUses() {
        return unexpected(prefill.uses().stream());
    }

    /// Returns the kernels of both kinds of step, likewise.
    public List<KernelUse> unexpectedUses() {
        return unexpected(Stream.concat(decodeUses(), prefill.uses().stream()));
    }

    /// Returns the bases of the prices of [#unexpectedUses()].
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

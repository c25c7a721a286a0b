package io.throughputoptimizer.core.kernels;

import static io.throughputoptimizer.core.deployment.Obstacle.when;

import io.throughputoptimizer.core.deployment.LayoutObstacles;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.StoredQuantization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A calibrated instance of a model: all inputs of a pass price except the requests in it.
///
/// @param calibration calibration of the device
/// @param engine engine resolved for the model; one that is [Engine#apart] stays so
/// @param layout tensor parallel ranks, attention data parallel ranks, and expert groups for a model with
///     experts
/// @param speculation drafts of decode steps; absent if none are requested
public record CalibratedDeployment(
        ModelArchitecture model,
        Calibration calibration,
        ParallelLayout layout,
        Engine engine,
        Precision precision,
        @Nullable Speculation speculation) {

    /// Largest instance with attention data parallelism whose ranks gather all tokens; a larger one dispatches
    /// each token to the ranks of its experts.
    private static final int MOST_GATHERING_RANKS = 8;

    public CalibratedDeployment {
        engine = engine.serving(model);
    }

    /// Creates a deployment without drafts.
    public CalibratedDeployment(
            ModelArchitecture model,
            Calibration calibration,
            ParallelLayout layout,
            Engine engine,
            Precision precision) {
        this(model, calibration, layout, engine, precision, null);
    }

    /// Returns a copy with another speculation.
    public CalibratedDeployment with(@Nullable Speculation other) {
        return new CalibratedDeployment(model, calibration, layout, engine, precision, other);
    }

    /// Returns the form: layout and speculation.
    public InstanceForm form() {
        return new InstanceForm(layout, speculation);
    }

    /// Returns a copy with the drafting layer in place of the model's layers.
    CalibratedDeployment ofDrafts() {
        return new CalibratedDeployment(model.drafting(), calibration, layout, engine, precision);
    }

    /// Returns whether decode steps draft.
    public boolean isDrafting() {
        return speculation != null && speculation.drafting();
    }

    /// Returns the layout of `tp` tensor parallel and `dp` attention data parallel ranks, whose experts form
    /// `ep` groups.
    ///
    /// @throws IllegalArgumentException if `ep` does not divide the ranks of a model with experts
    public static ParallelLayout layout(ModelArchitecture model, int tp, int dp, int ep) {
        return model.experts().isEmpty()
                ? ParallelLayout.dense(tp, dp)
                : new ParallelLayout(tp, 1, dp, new ExpertLayout(ep, tp * dp / ep, 1));
    }

    /// Returns a copy without launch overhead, which a captured graph may approach.
    public CalibratedDeployment withoutLaunches() {
        return new CalibratedDeployment(model, calibration.withoutLaunches(), layout, engine, precision, speculation);
    }

    /// Returns whether integer weights have no zero points, which a checkpoint alone can have.
    boolean hasSymmetricWeights() {
        StoredQuantization stored = model.stored();
        StoredFormat format = stored == null ? null : stored.others();
        return format == null || !format.zeroPoints();
    }

    /// Returns the expert groups; 1 without experts.
    int ep() {
        ExpertLayout experts = layout.experts();
        return experts == null ? 1 : experts.ep();
    }

    /// Returns the ranks that share an expert.
    int moeTp() {
        return layout.deviceCount() / ep();
    }

    /// Returns whether attention is data parallel.
    boolean isDataParallel() {
        return layout.dp() > 1;
    }

    /// Returns whether tokens are dispatched only to the ranks of their experts.
    boolean dispatches() {
        return isDataParallel() && layout.deviceCount() > MOST_GATHERING_RANKS;
    }

    /// Returns the type of the prefill attention kernel, such as `bf16/kv_fp8`.
    String prefillAttentionType() {
        return (attendsInFp8() ? "fp8/" : "bf16/") + precision.cache().kernelLabel();
    }

    private boolean attendsInFp8() {
        return precision.cache() == CacheType.FP8 && engine.attendsInCacheType() && !model.cachesLatent();
    }

    /// Returns the obstacle to running or pricing the model this way; empty if there is none.
    ///
    /// - Backend: `vllm-ascend` supports Ascend devices only, and they support no other.
    /// - Scheme: the device has a rate for each type; W8A8 requires an Ascend device.
    /// - Cache: FP8 is not supported on Ascend; attention in FP8 needs a rate for it.
    /// - Model: latent, sparse and compressed attention is priced in the measured widths only.
    /// - Layout: heads divide over the tensor parallel ranks; expert groups divide experts and ranks.
    public Optional<Obstacle> obstacle() {
        return Stream.of(
                        backendObstacle(),
                        schemeObstacle(),
                        cacheObstacle(),
                        obstacle(model),
                        AttentionObstacles.ofPrecision(model, precision),
                        draftObstacle(),
                        layoutObstacle())
                .flatMap(Optional::stream)
                .findFirst();
    }

    /// Returns the obstacle to serving; empty if the deployment can be priced, and the memory of its ranks is
    /// known by the engine's memory model or given.
    public Optional<Obstacle> servingObstacle() {
        return obstacle().or(() -> CalibratedMemory.obstacle(this));
    }

    private Optional<Obstacle> draftObstacle() {
        if (!isDrafting()) {
            return Optional.empty();
        }
        DraftLayers layers = model.drafts();
        return layers == null
                ? Optional.of(new Obstacle(
                        Part.DRAFT_TOKENS,
                        "no layer of " + model.family() + " that predicts drafts is in its configuration or priced"))
                : Optional.empty();
    }

    private Optional<Obstacle> backendObstacle() {
        boolean ascend = calibration.isAscend();
        return when(
                ascend != engine.backend().equals(Engine.VLLM_ASCEND),
                Part.BACKEND,
                ascend
                        ? calibration.device() + " is served by " + Engine.VLLM_ASCEND + " only"
                        : Engine.VLLM_ASCEND + " serves Ascend devices only, not " + calibration.device());
    }

    private Optional<Obstacle> schemeObstacle() {
        Peaks peaks = calibration.peaks();
        Scheme scheme = precision.scheme();
        Stream<ProductType> types = Stream.of(ProductType.BFLOAT16, scheme.attention());
        Stream<ProductType> dense = needsDenseType() ? Stream.of(scheme.dense()) : Stream.empty();
        Stream<ProductType> experts = model.experts().stream().map(_ -> scheme.experts(peaks));
        Optional<Obstacle> unrated = Stream.of(types, dense, experts)
                .flatMap(stream -> stream)
                .filter(type -> !peaks.has(type.peak()))
                .findFirst()
                .map(type -> new Obstacle(
                        Part.LINEAR_QUANTIZATION,
                        calibration.device() + " does not multiply in " + type.peak() + ", which scheme " + scheme
                                + " needs"));
        return unrated.or(() -> when(
                scheme == Scheme.W8A8 && !calibration.isAscend(),
                Part.LINEAR_QUANTIZATION,
                "scheme W8A8 is for Ascend devices, not for " + calibration.device()));
    }

    private boolean needsDenseType() {
        return model.groups().stream().anyMatch(group -> switch (group.feedForward()) {
            case FeedForwardSpec.Absent _ -> false;
            case FeedForwardSpec.Dense _ -> true;
            case FeedForwardSpec.RoutedExperts routed -> routed.sharedWidth() > 0;
        });
    }

    private Optional<Obstacle> cacheObstacle() {
        return when(
                        precision.cache() == CacheType.FP8 && calibration.isAscend(),
                        Part.CACHE_QUANTIZATION,
                        "a cache in fp8 is not for Ascend devices: bf16 is")
                .or(() -> when(
                        attendsInFp8() && !calibration.peaks().has(MatrixPeak.FP8),
                        Part.CACHE_QUANTIZATION,
                        engine.backend() + " attends in FP8 on a cache in fp8, which " + calibration.device()
                                + " does not multiply in: bf16 does"));
    }

    /// Returns the obstacle to pricing a model on any device; empty if there is none.
    public static Optional<Obstacle> obstacle(ModelArchitecture model) {
        return AttentionObstacles.ofWidths(model);
    }

    /// Returns whether grouped-query attention is priced by kernels of windows and wide heads. Families without
    /// those features keep the kernels that servers of them were compared with.
    boolean pricesWindows() {
        return model.connections() instanceof SandwichNorms
                || model.attendsInChunks()
                || model.attentions().stream()
                        .anyMatch(attention ->
                                attention instanceof AttentionSpec.GroupedQuery grouped && grouped.valuesDiffer());
    }

    /// Returns the layers of the model by attention, in the order of the first of each kind; requires a
    /// supported deployment.
    List<AttentionLayers> attention() {
        Map<AttentionSpec, SortedMap<Integer, Integer>> layers = new LinkedHashMap<>();
        for (LayerGroup group : model.groups()) {
            if (!group.attends()) {
                continue;
            }
            boolean slides = group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.slides();
            AttentionSpec unbounded =
                    slides ? ((AttentionSpec.GroupedQuery) group.attention()).within(0) : group.attention();
            int window = slides ? ((AttentionSpec.GroupedQuery) group.attention()).window() : 0;
            layers.computeIfAbsent(unbounded, _ -> new TreeMap<>()).merge(window, group.count(), Integer::sum);
        }
        List<AttentionLayers> kinds = new ArrayList<>();
        layers.forEach((attention, byWindow) -> kinds.add(AttentionLayers.of(this, attention, byWindow)));
        return kinds;
    }

    private Optional<Obstacle> layoutObstacle() {
        return when(layout.pp() > 1, Part.PIPELINE_PARALLEL, "pipeline parallelism is not priced")
                .or(() -> LayoutObstacles.ofHeads(model, layout.tp()))
                .or(() -> model.experts().flatMap(this::expertObstacle));
    }

    private Optional<Obstacle> expertObstacle(FeedForwardSpec.RoutedExperts routed) {
        ExpertLayout experts = layout.experts();
        if (experts == null) {
            return Optional.of(new Obstacle(
                    Part.EXPERT_PARALLEL, "the layout does not say how to split the experts of " + model.id()));
        }
        int count = routed.routing().experts();
        return when(experts.moeDp() > 1, Part.EXPERT_REPLICAS, "replicas of experts are not priced")
                .or(() -> when(
                        count % experts.ep() != 0,
                        Part.EXPERT_PARALLEL,
                        count + " experts do not divide over ep " + ep()));
    }
}

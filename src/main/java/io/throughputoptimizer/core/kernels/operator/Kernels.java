package io.throughputoptimizer.core.kernels.operator;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.Calibration.Choice;
import io.throughputoptimizer.core.kernels.calibration.HeadWindow;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ModuleType;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The kernels of one backend on one device. Each kernel is looked up once and then prices any size.
public final class Kernels {
    private static final String STATIC_QUANTIZATION = "quantize_static";
    private static final String LAUNCH = "launch_us";
    private static final String VLLM = "vllm";

    private final Calibration calibration;
    private final Peaks peaks;
    private final String backend;
    /// Backend of products with integer weights.
    private final String weightsAlone;

    /// Creates the kernels of a backend.
    ///
    /// @param backend name of the engine in calibrations, such as `vllm`
    /// @param symmetric whether integer weights have no zero points
    public Kernels(Calibration calibration, String backend, boolean symmetric) {
        this.calibration = calibration;
        this.peaks = calibration.peaks();
        this.backend = backend;
        this.weightsAlone =
                symmetric && backend.equals(VLLM) && calibration.isHopper() ? Calibration.VLLM_MACHETE : backend;
    }

    /// Creates the kernels of a backend whose integer weights have no zero points.
    public Kernels(Calibration calibration, String backend) {
        this(calibration, backend, true);
    }

    /// A kernel, and the basis of its price.
    public record Priced<T>(T kernel, KernelUse use) {}

    /// Returns matrix products of a type.
    ///
    /// @throws IllegalArgumentException if the device has no rate for it
    public Priced<Gemm> gemm(ProductType type) {
        boolean alone = type == ProductType.INT4_WO || type == ProductType.INT8_WO;
        return priced(
                calibration.choose(KernelClass.GEMM, type.label(), alone ? weightsAlone : backend),
                new KernelUse(KernelClass.GEMM, type.label(), Basis.NONE),
                set -> Gemm.of(type, peaks, set),
                () -> Gemm.Generic.of(type, peaks));
    }

    /// Returns prefill attention.
    ///
    /// @param type types of attention and cache, such as `bf16/kv_fp8`
    public Priced<PrefillAttention> prefillAttention(String type) {
        MatrixPeak peak = attentionPeak(type);
        return priced(
                KernelClass.PREFILL_ATTENTION,
                type,
                set -> PrefillAttention.Measured.of(peak, peaks, set),
                () -> PrefillAttention.Generic.of(peak, peaks));
    }

    /// Returns decode attention.
    ///
    /// @param type types of heads and cache, such as `gqa/kv_fp8`
    public Priced<DecodeAttention> decodeAttention(String type) {
        double bytes = cacheBytes(type);
        return priced(
                KernelClass.DECODE_ATTENTION,
                type,
                set -> DecodeAttention.Measured.of(bytes, peaks, set, calibration.launchOverlapsMemory()),
                () -> new DecodeAttention.Generic(bytes, GenericRates.memory(peaks)));
    }

    /// Attention whose kernel reads a part of the tokens that a window masks.
    ///
    /// @param maskedShare share of the masked tokens that the kernel reads; 0 for kernels of full attention
    public record Windowed<T>(T kernel, double maskedShare, KernelUse use) {
        private static <T> Windowed<T> exact(Priced<T> full) {
            return new Windowed<>(full.kernel(), 0, full.use());
        }
    }

    /// Returns decode attention to a window or with wide heads; that of [#decodeAttention] if none was measured.
    ///
    /// @param cache type of the cache, such as `kv_fp8`
    /// @param grouped whether query heads share keys and values
    public Windowed<DecodeAttention> windowDecode(String cache, HeadWindow heads, boolean grouped) {
        double bytes = cacheBytes(cache);
        return this.<DecodeAttention>windowed(
                        KernelClass.WINDOW_DECODE,
                        heads,
                        List.of(cache, bytes == 1 ? "kv_bf16" : "kv_fp8"),
                        (_, set) -> DecodeAttention.Measured.of(bytes, peaks, set, false))
                .orElseGet(() -> Windowed.exact(decodeAttention((grouped ? "gqa/" : "mha/") + cache)));
    }

    /// Returns prefill attention to a window or with wide heads; that of [#prefillAttention] if none was measured.
    ///
    /// @param type types of attention and cache, such as `bf16/kv_fp8`
    public Windowed<PrefillAttention> windowPrefill(String type, HeadWindow heads) {
        String cache = type.substring(type.indexOf('/') + 1);
        return this.<PrefillAttention>windowed(
                        KernelClass.WINDOW_PREFILL,
                        heads,
                        List.of(type, "bf16/" + cache, "bf16/kv_bf16"),
                        (other, set) -> PrefillAttention.Measured.of(attentionPeak(other), peaks, set))
                .orElseGet(() -> Windowed.exact(prefillAttention(type)));
    }

    /// Returns the kernel of the nearest measured heads, of the first type that was measured.
    private <T> Optional<Windowed<T>> windowed(
            KernelClass kernel, HeadWindow heads, List<String> types, BiFunction<String, ParameterSet, T> measured) {
        @Nullable HeadWindow nearest = heads.nearest(calibration.types(kernel)).orElse(null);
        for (String type : nearest == null ? List.<String>of() : types) {
            String label = requireNonNull(nearest).label(type);
            Choice choice = calibration.choose(kernel, label, backend);
            ParameterSet set = choice.set();
            if (set != null) {
                boolean exact = heads.equals(nearest) && type.equals(types.getFirst());
                Basis basis = choice.basis() == Basis.OWN && !exact ? Basis.SPECIAL : choice.basis();
                return Optional.of(new Windowed<>(
                        measured.apply(type, set), set.get("masked_share"), new KernelUse(kernel, label, basis)));
            }
        }
        return Optional.empty();
    }

    private static MatrixPeak attentionPeak(String type) {
        return type.startsWith("fp8") ? MatrixPeak.FP8 : MatrixPeak.BF16;
    }

    /// Returns latent attention in prefill.
    ///
    /// @param type types of attention and cache, such as `bf16/kv_fp8`
    public Priced<LatentPrefill> latentPrefill(String type) {
        return priced(
                KernelClass.MLA_PREFILL,
                type,
                set -> LatentPrefill.Measured.of(peaks, set),
                () -> LatentPrefill.Generic.of(peaks));
    }

    /// Returns latent attention in decode.
    ///
    /// @param type type of the cache, such as `kv_fp8`
    public Priced<LatentDecode> latentDecode(String type) {
        double bytes = cacheBytes(type);
        return priced(
                KernelClass.MLA_DECODE,
                type,
                set -> LatentDecode.Measured.of(bytes, peaks, set),
                () -> LatentDecode.Generic.of(bytes, peaks));
    }

    /// Returns routed experts with products of that type.
    ///
    /// @param gated whether their networks have a gate
    public Priced<Experts> experts(ProductType type, boolean gated) {
        int matrices = gated ? 3 : 2;
        return priced(
                gated ? KernelClass.MOE : KernelClass.MOE_UNGATED,
                type.label(),
                set -> Experts.Measured.of(matrices, type, peaks, set),
                () -> Experts.Generic.of(matrices, type, peaks));
    }

    /// Returns a collective of `ranks`, at least 2. Its basis tells whether it leaves the domain of the link.
    public Priced<Collective> collective(Collective.Kind kind, int ranks) {
        boolean within = kind == Collective.Kind.ALL_REDUCE && !peaks.links().crossNodes(ranks);
        return within
                ? calibration
                        .allReduces()
                        .choose(backend, ranks)
                        .map(choice -> allReduce(choice, ranks))
                        .orElseGet(() -> jointly(kind, ranks))
                : jointly(kind, ranks);
    }

    private Priced<Collective> allReduce(AllReduces.Choice choice, int ranks) {
        Collective.Kind kind = Collective.Kind.ALL_REDUCE;
        Peaks.Links links = peaks.links();
        double link = links.bytesPerSecond();
        Collective kernel = switch (choice) {
            case AllReduces.Choice.Table table -> AllReduce.Tabled.of(table.points(), table.linkBytesPerSecond(), link);
            case AllReduces.Choice.Form form ->
                AllReduce.Form.of(kind.wireShare(ranks, links.inSwitchReduction()), link, form.set(), ranks);
        };
        return new Priced<>(kernel, new KernelUse(KernelClass.COLLECTIVE, kind.label(), choice.basis()));
    }

    /// Returns a collective with the parameters that all numbers of ranks share.
    private Priced<Collective> jointly(Collective.Kind kind, int ranks) {
        Peaks.Links links = peaks.links();
        boolean crossing = links.crossNodes(ranks);
        double link = crossing ? links.interNodeBytesPerSecond() : links.bytesPerSecond();
        double share = kind.wireShare(ranks, links.inSwitchReduction());
        Priced<Collective> priced = priced(
                KernelClass.COLLECTIVE,
                kind.label(),
                set -> Collective.Measured.of(share, link, set, ranks),
                () -> new Collective.Generic(share, GenericRates.link(link)));
        return crossing
                ? new Priced<>(priced.kernel(), new KernelUse(KernelClass.COLLECTIVE, kind.label(), Basis.INTER_NODE))
                : priced;
    }

    /// Returns a kernel that only moves bytes.
    public Priced<Move> move() {
        return move(STATIC_QUANTIZATION);
    }

    /// Returns a kernel that moves bytes like the measured one of a type.
    Priced<Move> move(String type) {
        return priced(KernelClass.ELEMENTWISE, type, set -> Move.measured(peaks, set), () -> Move.generic(peaks));
    }

    /// Returns a kernel of one type that moves bytes, such as the convolution of a decode step.
    public Priced<Move> move(KernelClass kernel) {
        return priced(kernel, KernelClass.PLAIN_TYPE, set -> Move.measured(peaks, set), () -> Move.generic(peaks));
    }

    /// Returns prompt convolutions of a class.
    public Priced<PromptConvolution> promptConvolution(KernelClass kernel) {
        return priced(
                kernel,
                KernelClass.PLAIN_TYPE,
                set -> PromptConvolution.Measured.of(peaks, set),
                () -> new PromptConvolution.Generic(Move.generic(peaks)));
    }

    /// Returns prompt scans of a class.
    ///
    /// @param chunk tokens of a chunk
    public Priced<StateScan> scan(KernelClass kernel, int chunk) {
        return priced(
                kernel,
                KernelClass.PLAIN_TYPE,
                set -> StateScan.Measured.of(chunk, peaks, set),
                () -> StateScan.Generic.of(chunk, peaks));
    }

    /// Returns state updates of a class.
    public Priced<StateUpdate> update(KernelClass kernel) {
        return priced(
                kernel,
                KernelClass.PLAIN_TYPE,
                set -> StateUpdate.Measured.of(peaks, set),
                () -> new StateUpdate.Generic(Move.generic(peaks)));
    }

    /// Returns attention modules of a class in decode.
    public Priced<AttentionModule> decodeModule(KernelClass kernel, ModuleType type) {
        return priced(
                kernel,
                type.label(),
                set -> AttentionModule.Measured.of(type, peaks, set, false, set.get(LAUNCH)),
                () -> AttentionModule.Generic.of(type, peaks, false));
    }

    /// Returns attention modules of a class in prefill. They were measured with the host time; within a pass
    /// that is at most the launch time of the same module in a captured graph.
    ///
    /// @param decoding class of the same module in decode
    public Priced<AttentionModule> prefillModule(KernelClass kernel, ModuleType type, KernelClass decoding) {
        ParameterSet captured =
                calibration.choose(decoding, type.label(), backend).set();
        double most = captured == null ? Double.POSITIVE_INFINITY : captured.get(LAUNCH);
        return prefillModule(kernel, type, most);
    }

    /// Returns attention modules of a class in prefill.
    ///
    /// @param mostFloorUs maximum host time
    Priced<AttentionModule> prefillModule(KernelClass kernel, ModuleType type, double mostFloorUs) {
        return priced(
                kernel,
                type.label(),
                set -> AttentionModule.Measured.of(type, peaks, set, true, Math.min(set.get(LAUNCH), mostFloorUs)),
                () -> AttentionModule.Generic.of(type, peaks, true));
    }

    private <T> Priced<T> priced(
            KernelClass kernel, String type, Function<ParameterSet, T> measured, Supplier<T> generic) {
        return priced(
                calibration.choose(kernel, type, backend), new KernelUse(kernel, type, Basis.NONE), measured, generic);
    }

    private static <T> Priced<T> priced(
            Choice choice, KernelUse unmeasured, Function<ParameterSet, T> measured, Supplier<T> generic) {
        ParameterSet set = choice.set();
        return new Priced<>(set == null ? generic.get() : measured.apply(set), unmeasured.on(choice.basis()));
    }

    private static double cacheBytes(String type) {
        return type.endsWith("fp8") ? 1 : 2;
    }
}

package io.throughputoptimizer.core.kernels.operator;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.Calibration.Choice;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ModuleType;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import java.util.function.Function;
import java.util.function.Supplier;

/// The kernels of one backend on one device. Each kernel is looked up once and then prices any size.
public final class Kernels {
    private static final String STATIC_QUANTIZATION = "quantize_static";
    private static final String LAUNCH = "launch_us";

    private final Calibration calibration;
    private final Peaks peaks;
    private final String backend;

    /// Creates the kernels of a backend.
    ///
    /// @param backend name of the engine in calibrations, such as `vllm`
    public Kernels(Calibration calibration, String backend) {
        this.calibration = calibration;
        this.peaks = calibration.peaks();
        this.backend = backend;
    }

    /// A kernel, and the basis of its price.
    public record Priced<T>(T kernel, KernelUse use) {}

    /// Returns matrix products of a type.
    ///
    /// @throws IllegalArgumentException if the device has no rate for it
    public Priced<Gemm> gemm(ProductType type) {
        return priced(
                KernelClass.GEMM,
                type.label(),
                set -> Gemm.Measured.of(type, peaks, set),
                () -> Gemm.Generic.of(type, peaks));
    }

    /// Returns prefill attention.
    ///
    /// @param type types of attention and cache, such as `bf16/kv_fp8`
    public Priced<PrefillAttention> prefillAttention(String type) {
        MatrixPeak peak = type.startsWith("fp8") ? MatrixPeak.FP8 : MatrixPeak.BF16;
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
    public Priced<Experts> experts(ProductType type) {
        return priced(
                KernelClass.MOE,
                type.label(),
                set -> Experts.Measured.of(type, peaks, set),
                () -> Experts.Generic.of(type, peaks));
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
    public Priced<StateScan> scan(KernelClass kernel) {
        return priced(
                kernel,
                KernelClass.PLAIN_TYPE,
                set -> StateScan.Measured.of(peaks, set),
                () -> StateScan.Generic.of(peaks));
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
        Choice choice = calibration.choose(kernel, type, backend);
        ParameterSet set = choice.set();
        return new Priced<>(
                set == null ? generic.get() : measured.apply(set), new KernelUse(kernel, type, choice.basis()));
    }

    private static double cacheBytes(String type) {
        return type.endsWith("fp8") ? 1 : 2;
    }
}

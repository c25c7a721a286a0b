package io.throughputoptimizer.core.kernels.calibration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Measurements of a device: the peaks, and the parameters of its kernels.
///
/// @param device name of the calibration, such as `h100_sxm`
/// @param family family of similar devices, such as `hopper`
/// @param peaks peaks that the efficiencies are shares of
/// @param launchOverlapsMemory whether a decode attention streams its cache during its launch
/// @param versions measured versions of the backends, by backend
/// @param servers measured servers that predictions for the device were compared with
/// @param sets parameters by class, type and backend
/// @param allReduces all-reduces priced separately from the class of collectives
/// @param lender device whose parameters fill the gaps, with its own peaks left out; absent for none
/// @param donor device whose sets replace missing sets of kernels that are not pooled; absent for none
public record Calibration(
        String device,
        String family,
        Peaks peaks,
        boolean launchOverlapsMemory,
        Map<String, List<String>> versions,
        Servers servers,
        Map<KernelClass, Map<String, SortedMap<String, ParameterSet>>> sets,
        AllReduces allReduces,
        @Nullable Calibration lender,
        @Nullable Calibration donor) {
    /// Name of the set that joins all backends.
    public static final String POOLED = "pooled";

    /// Name of the FP8 products of TensorRT-LLM without the quantization of their activations, with which they
    /// were measured.
    public static final String TRTLLM_NET = "trtllm_net";

    /// Name of the products with symmetric integer weights of vLLM on Hopper.
    public static final String VLLM_MACHETE = "vllm_machete";

    private static final String TRTLLM = "trtllm";
    private static final List<String> BACKENDS = List.of("vllm", "sglang", TRTLLM);
    private static final String ASCEND = "ascend";
    private static final String HOPPER = "hopper";

    public Calibration {
        versions = Map.copyOf(versions);
        sets = mapped(sets, ofType -> mapped(ofType, Collections::unmodifiableSortedMap));
    }

    /// Measured servers of a device that predictions were compared with.
    public enum Servers {
        NONE,
        DISAGGREGATED,
        /// Aggregated and disaggregated servers.
        ALL
    }

    /// A parameter set and its basis.
    ///
    /// @param set parameters; absent if nothing was measured
    public record Choice(@Nullable ParameterSet set, Basis basis) {}

    /// Returns a copy with a device to borrow from. Borrowed sets are not lent again.
    public Calibration borrowingFrom(Calibration other) {
        return new Calibration(
                device, family, peaks, launchOverlapsMemory, versions, servers, sets, allReduces, other, donor);
    }

    /// Returns a copy with a device that represents its generation.
    public Calibration standingInBy(@Nullable Calibration other) {
        return new Calibration(
                device, family, peaks, launchOverlapsMemory, versions, servers, sets, allReduces, lender, other);
    }

    /// Returns a copy with the sets of a kernel that this device lacks and another one has.
    public Calibration filledBy(Calibration other, KernelClass kernel) {
        Map<KernelClass, Map<String, SortedMap<String, ParameterSet>>> filled = new LinkedHashMap<>(sets);
        filled.putIfAbsent(kernel, other.sets.getOrDefault(kernel, Map.of()));
        return withSets(filled, lender, donor);
    }

    /// Returns a copy with the sets of one kernel only.
    public Calibration limitedTo(KernelClass kernel) {
        return withSets(Map.of(kernel, sets.getOrDefault(kernel, Map.of())), null, null);
    }

    private Calibration withSets(
            Map<KernelClass, Map<String, SortedMap<String, ParameterSet>>> others,
            @Nullable Calibration lends,
            @Nullable Calibration gives) {
        return new Calibration(
                device, family, peaks, launchOverlapsMemory, versions, servers, others, allReduces, lends, gives);
    }

    /// Returns whether predictions for the device were compared with measured servers.
    ///
    /// @param disaggregated whether prefill and decode instances are separate
    public boolean isCompared(boolean disaggregated) {
        return servers == Servers.ALL || (disaggregated && servers == Servers.DISAGGREGATED);
    }

    /// Returns whether the kernels were measured by single launches of an Ascend device.
    public boolean isAscend() {
        return family.equals(ASCEND);
    }

    /// Returns whether the device is of the Hopper generation.
    public boolean isHopper() {
        return family.equals(HOPPER);
    }

    /// Returns the types that were measured here, or on a device that lends sets of the kernel.
    public Set<String> types(KernelClass kernel) {
        return Stream.of(this, lender, donor)
                .filter(Objects::nonNull)
                .flatMap(source -> source.sets.getOrDefault(kernel, Map.of()).keySet().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Returns the parameters with which a pass prices a kernel: the backend's own, else those of all backends,
    /// else any, the first by name, else the same of the device that it borrows from.
    ///
    /// For kernels that are not pooled, and products with integer weights alone: the backend's own, else another
    /// backend's of the same type, else those of the type's stand-ins; first on this device, then on the lender,
    /// and then on the donor. Excluded sets do not count, and if a device has only excluded ones, none is
    /// borrowed for it. Assumed sets are [Basis#SPECIAL].
    public Choice choose(KernelClass kernel, String type, String backend) {
        return kernel.isPooled(type) ? choosePooled(kernel, type, backend) : chooseNearest(kernel, type, backend);
    }

    private Choice chooseNearest(KernelClass kernel, String type, String backend) {
        List<Lent> sources = new ArrayList<>();
        sources.add(new Lent(this, Basis.SPECIAL));
        if (lender != null) {
            sources.add(new Lent(lender, Basis.FAMILY));
        }
        if (donor != null) {
            sources.add(new Lent(donor, Basis.PEAKS));
        }
        for (Lent source : sources) {
            Map<String, SortedMap<String, ParameterSet>> byType = source.from.sets.getOrDefault(kernel, Map.of());
            if (byType.values().stream().anyMatch(sets -> !sets.isEmpty())
                    && byType.values().stream().allMatch(Calibration::isSetAside)) {
                break;
            }
            for (String standIn : ModuleType.standIns(type)) {
                ParameterSet own = usable(byType, standIn, backend);
                if (own != null) {
                    boolean exact = source.basis == Basis.SPECIAL && standIn.equals(type) && own.assumed() == null;
                    return new Choice(own, exact ? Basis.OWN : source.basis);
                }
                for (String other : BACKENDS) {
                    ParameterSet set = usable(byType, standIn, other);
                    if (set != null) {
                        return new Choice(set, source.basis);
                    }
                }
            }
        }
        return new Choice(null, Basis.NONE);
    }

    /// A device whose sets may be used instead.
    private record Lent(Calibration from, Basis basis) {}

    private static boolean isSetAside(SortedMap<String, ParameterSet> sets) {
        return sets.values().stream().noneMatch(ParameterSet::isPreferred);
    }

    private static @Nullable ParameterSet usable(
            Map<String, SortedMap<String, ParameterSet>> byType, String type, String backend) {
        SortedMap<String, ParameterSet> sets = byType.get(type);
        ParameterSet set = sets == null ? null : sets.get(backend);
        return set == null || !set.isPreferred() ? null : set;
    }

    private Choice choosePooled(KernelClass kernel, String type, String backend) {
        Choice own = chooseOwn(kernel, type, backend);
        if (own.set() != null || lender == null) {
            return own;
        }
        Choice lent = lender.chooseOwn(kernel, type, backend);
        return lent.set() == null ? own : new Choice(lent.set(), Basis.FAMILY);
    }

    private Choice chooseOwn(KernelClass kernel, String type, String backend) {
        SortedMap<String, ParameterSet> byBackend = byBackend(kernel, type);
        String wanted = wanted(kernel, type, backend, byBackend);
        ParameterSet own = byBackend.get(wanted);
        if (own != null && (own.isPreferred() || wanted.equals(TRTLLM_NET))) {
            return new Choice(own, Basis.OWN);
        }
        ParameterSet pooled = byBackend.get(POOLED);
        if (pooled != null) {
            return new Choice(pooled, Basis.POOLED);
        }
        return byBackend.isEmpty()
                ? new Choice(null, Basis.NONE)
                : new Choice(byBackend.firstEntry().getValue(), Basis.SPECIAL);
    }

    private static String wanted(KernelClass kernel, String type, String backend, Map<String, ParameterSet> sets) {
        boolean net = kernel == KernelClass.GEMM
                && type.equals(ProductType.FP8.label())
                && backend.equals(TRTLLM)
                && sets.containsKey(TRTLLM_NET);
        return net ? TRTLLM_NET : backend;
    }

    private SortedMap<String, ParameterSet> byBackend(KernelClass kernel, String type) {
        return sets.getOrDefault(kernel, Map.of()).getOrDefault(type, new TreeMap<>());
    }

    /// Returns the same kernels on a device with other peaks, which their efficiencies are shares of.
    public Calibration with(Peaks other) {
        return new Calibration(
                device, family, other, launchOverlapsMemory, versions, servers, sets, allReduces, lender, donor);
    }

    /// Returns a copy without launch overhead, which a captured graph may approach.
    public Calibration withoutLaunches() {
        return withLaunches(0);
    }

    /// Returns a copy with launch times multiplied by `factor`.
    public Calibration withLaunches(double factor) {
        return new Calibration(
                device,
                family,
                peaks,
                launchOverlapsMemory,
                versions,
                servers,
                mapped(sets, ofType -> mapped(ofType, byBackend -> withLaunch(byBackend, factor))),
                allReduces,
                lender == null ? null : lender.withLaunches(factor),
                donor == null ? null : donor.withLaunches(factor));
    }

    private static SortedMap<String, ParameterSet> withLaunch(SortedMap<String, ParameterSet> sets, double factor) {
        SortedMap<String, ParameterSet> free = new TreeMap<>();
        sets.forEach((backend, set) -> free.put(backend, set.withLaunch(factor)));
        return free;
    }

    private static <K, V> Map<K, V> mapped(Map<K, V> map, UnaryOperator<V> change) {
        Map<K, V> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put(key, change.apply(value)));
        return Collections.unmodifiableMap(result);
    }
}

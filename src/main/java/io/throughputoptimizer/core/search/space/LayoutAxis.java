package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.space.Candidate.Trait;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Layouts of one instance to try: nested loops over tensor parallel, expert parallel and expert data parallel
/// sizes, in the order of their lists, without sizes that do not divide the devices.
///
/// Expert sizes do not apply to a dense model: its layouts differ by tensor parallelism alone.
///
/// @param devices devices of the instance
/// @param experts whether the model has routed experts
public record LayoutAxis(ParallelSizes sizes, int devices, boolean experts) {

    public static LayoutAxis of(ModelArchitecture model, ParallelSizes sizes, int devices) {
        return new LayoutAxis(sizes, devices, model.experts().isPresent());
    }

    /// Returns the layouts in the order in which they are tried and shown.
    List<ParallelLayout> layouts() {
        return dividingTensorSizes()
                .flatMap(tp -> experts
                        ? expertLayouts().map(layout -> new ParallelLayout(tp, 1, devices / tp, layout))
                        : Stream.of(ParallelLayout.dense(tp, devices / tp)))
                .toList();
    }

    /// Returns the number of [#layouts()] without creating them.
    long count() {
        return dividingTensorSizes().count() * countPerTensorSize();
    }

    /// Returns the number of layouts of each tensor parallel size.
    long countPerTensorSize() {
        if (!experts) {
            return 1;
        }
        // A divisor of a part of the devices divides them all, and no number up to a million has many divisors.
        int[] replicas = divisors(expertDataSizes()).mapToInt(Integer::intValue).toArray();
        long count = 0;
        for (int ep : divisors(expertSizes()).toList()) {
            int left = devices / ep;
            for (int moeDp : replicas) {
                count += left % moeDp == 0 ? 1 : 0;
            }
        }
        return count;
    }

    /// Returns whether any layout exists, without counting them.
    public boolean exist() {
        return dividingTensorSizes().findAny().isPresent()
                && (!experts || expertLayouts().findAny().isPresent());
    }

    /// Returns the tensor parallel sizes of the layouts.
    Stream<Integer> dividingTensorSizes() {
        return divisors(tensorSizes());
    }

    /// Returns the decode context parallel sizes to try on the layouts.
    public DecodeContextAxis contexts() {
        return new DecodeContextAxis(resolve(sizes.dcp(), devices, 1));
    }

    /// Returns the objections to the decode context parallel sizes on these layouts; empty if there are none.
    public List<Objection> contextObjections() {
        List<Objection> objections = tooLarge(Subject.DCP_SIZES, sizes.dcp());
        return objections.isEmpty() ? contexts().objections(this) : objections;
    }

    /// Returns the objections to these sizes; empty if there are none.
    public List<Objection> objections() {
        List<Objection> objections = new ArrayList<>(tooLarge(Subject.TP_SIZES, sizes.tp()));
        if (experts) {
            objections.addAll(tooLarge(Subject.EP_SIZES, sizes.ep()));
            objections.addAll(tooLarge(Subject.MOE_DP_SIZES, sizes.moeDp()));
        }
        if (objections.isEmpty() && !exist()) {
            objections.add(nothingDivides());
        }
        return objections;
    }

    /// Returns the objection that no layout exists.
    public Objection nothingDivides() {
        return new Objection(
                Subject.SIZES,
                "has no valid combination of sizes: " + (experts ? "tp, ep and ep * moe_dp" : "tp")
                        + " must divide the " + devices + " devices");
    }

    /// Returns the sizes of one dimension: the fixed default if absent; powers of two up to the devices if
    /// empty; else the given positive sizes without duplicates.
    static List<Integer> resolve(@Nullable List<Integer> given, int devices, int fixed) {
        if (given == null) {
            return List.of(fixed);
        }
        return given.isEmpty()
                ? IntStream.rangeClosed(0, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(devices))
                        .mapToObj(power -> 1 << power)
                        .toList()
                : given.stream().filter(size -> size > 0).distinct().toList();
    }

    private List<Integer> tensorSizes() {
        boolean nothingGiven = sizes.tp() == null && sizes.ep() == null && sizes.moeDp() == null;
        return nothingGiven ? resolve(List.of(), devices, devices) : resolve(sizes.tp(), devices, devices);
    }

    private List<Integer> expertSizes() {
        return resolve(sizes.ep(), devices, devices);
    }

    private List<Integer> expertDataSizes() {
        return resolve(sizes.moeDp(), devices, 1);
    }

    private Stream<ExpertLayout> expertLayouts() {
        List<Integer> replicas = divisors(expertDataSizes()).toList();
        return divisors(expertSizes())
                .flatMap(ep -> replicas.stream()
                        .filter(moeDp -> devices / ep % moeDp == 0)
                        .map(moeDp -> new ExpertLayout(ep, devices / ep / moeDp, moeDp)));
    }

    private Stream<Integer> divisors(List<Integer> candidates) {
        return candidates.stream().filter(size -> devices % size == 0);
    }

    private List<Objection> tooLarge(Subject subject, @Nullable List<Integer> given) {
        return given == null
                ? List.of()
                : IntStream.range(0, given.size())
                        .filter(index -> given.get(index) > devices)
                        .mapToObj(index -> new Objection(
                                subject,
                                index,
                                "must be at most the device count (" + devices + "), got " + given.get(index)))
                        .toList();
    }

    /// Decode context parallel sizes to try. Sizes that do not divide the tensor parallel size of a layout are
    /// skipped.
    ///
    /// @param sizes distinct sizes
    record DecodeContextAxis(List<Integer> sizes) implements Axis {
        private static final List<Integer> NOT_SHARED = List.of(1);

        @Override
        public int size() {
            return sizes.size();
        }

        @Override
        public boolean dependsOnTensorSize() {
            return true;
        }

        @Override
        public int size(int tensorSize) {
            int count = 0;
            for (int size : sizes) {
                count += tensorSize % size == 0 ? 1 : 0;
            }
            return count;
        }

        @Override
        public Stream<Candidate> over(Candidate candidate) {
            Candidate told = sizes.equals(NOT_SHARED) ? candidate : candidate.with(Trait.DECODE_CONTEXT);
            return dividing(candidate.layout().tp())
                    .map(size -> told.with(told.layout().withDcp(size)));
        }

        /// Returns the objections to searching these sizes on the layouts; empty if there are none.
        List<Objection> objections(LayoutAxis layouts) {
            boolean none = layouts.exist()
                    && layouts.dividingTensorSizes()
                            .noneMatch(
                                    tensorSize -> dividing(tensorSize).findAny().isPresent());
            return none
                    ? List.of(new Objection(
                            Subject.DCP_SIZES, "has no size that divides a tensor parallel size of the layouts"))
                    : List.of();
        }

        private Stream<Integer> dividing(int tensorSize) {
            return sizes.stream().filter(size -> tensorSize % size == 0);
        }
    }
}

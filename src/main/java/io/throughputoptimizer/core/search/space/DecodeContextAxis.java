package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.search.space.Candidate.Trait;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import java.util.List;
import java.util.stream.Stream;

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
                        .noneMatch(tensorSize -> dividing(tensorSize).findAny().isPresent());
        return none
                ? List.of(new Objection(
                        Subject.DCP_SIZES, "has no size that divides a tensor parallel size of the layouts"))
                : List.of();
    }

    private Stream<Integer> dividing(int tensorSize) {
        return sizes.stream().filter(size -> tensorSize % size == 0);
    }
}

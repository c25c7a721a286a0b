package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Layouts on a number of devices: `tp` divides the devices, `dp` the quotient, and `ep` their product.
///
/// Counts layouts without creating them. No number up to a million has more than 240 divisors.
final class CalibratedLayouts {
    private final ModelArchitecture model;
    private final int devices;
    private final List<Integer> tensorSizes;
    /// Requested sizes of attention data parallelism and of expert groups; absent for the defaults.
    private final @Nullable List<Integer> dataSizes;

    private final @Nullable List<Integer> groupSizes;

    CalibratedLayouts(ModelArchitecture model, CalibratedSizes sizes, int devices) {
        this.model = model;
        this.devices = devices;
        List<Integer> tp = dividing(sizes.tp());
        this.tensorSizes = tp == null ? List.of(devices) : tp;
        this.dataSizes = dividing(sizes.dp());
        this.groupSizes = dividing(sizes.ep());
    }

    /// Ranks of an attention data parallel group, and the number of groups.
    private record Split(int tp, int dp) {
        private int ranks() {
            return tp * dp;
        }
    }

    private @Nullable List<Integer> dividing(@Nullable List<Integer> asked) {
        if (asked == null) {
            return null;
        }
        Stream<Integer> all = asked.isEmpty()
                ? IntStream.iterate(1, size -> size <= devices, size -> size * 2)
                        .boxed()
                : asked.stream().distinct();
        return all.filter(size -> devices % size == 0).toList();
    }

    /// Returns the layouts of replicas; a whole number of replicas takes all devices.
    Stream<ParallelLayout> ofReplicas() {
        return splits().flatMap(this::layouts);
    }

    /// Returns the layouts of an instance that takes all devices.
    Stream<ParallelLayout> ofInstance() {
        return wholeSplits().flatMap(this::layouts);
    }

    /// Returns the number of [#ofReplicas] layouts.
    long countOfReplicas() {
        Map<Integer, Long> groups = new HashMap<>();
        return splits().mapToLong(split -> groups.computeIfAbsent(
                        split.ranks(), ranks -> groups(ranks).count()))
                .sum();
    }

    /// Returns the number of [#ofInstance] layouts.
    long countOfInstance() {
        return wholeSplits().count() * groups(devices).count();
    }

    private Stream<ParallelLayout> layouts(Split split) {
        return groups(split.ranks()).map(ep -> CalibratedDeployment.layout(model, split.tp, split.dp, ep));
    }

    private Stream<Split> splits() {
        return tensorSizes.stream().flatMap(tp -> dataSizes(devices / tp).map(dp -> new Split(tp, dp)));
    }

    private Stream<Split> wholeSplits() {
        return tensorSizes.stream().map(tp -> new Split(tp, devices / tp)).filter(split -> takes(split.dp));
    }

    private boolean takes(int dp) {
        return dataSizes == null ? dp == 1 || model.experts().isPresent() : dataSizes.contains(dp);
    }

    /// Returns the attention data parallel sizes of a replica. Models with experts try every size that divides
    /// `left`, so that replicas of every instance size are searched. In other models each such rank is a
    /// separate replica.
    ///
    /// @param left devices divided by the tensor parallel size
    private Stream<Integer> dataSizes(int left) {
        if (dataSizes == null) {
            return model.experts().isPresent() ? divisors(left) : Stream.of(1);
        }
        return dataSizes.stream().filter(dp -> left % dp == 0);
    }

    private static Stream<Integer> divisors(int number) {
        return IntStream.rangeClosed(1, (int) Math.sqrt(number))
                .filter(divisor -> number % divisor == 0)
                .flatMap(divisor -> IntStream.of(divisor, number / divisor))
                .distinct()
                .sorted()
                .boxed();
    }

    private Stream<Integer> groups(int ranks) {
        if (model.experts().isEmpty()) {
            return Stream.of(1);
        }
        Stream<Integer> tried = groupSizes == null ? Stream.of(1, ranks).distinct() : groupSizes.stream();
        return tried.filter(ep -> ranks % ep == 0);
    }
}

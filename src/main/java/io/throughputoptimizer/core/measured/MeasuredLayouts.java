package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Layouts on so many devices: `tp` divides them, `dp` what `tp` leaves of them, and `ep` their product.
///
/// How many there are is known without making them. No number up to a million has more than 240 divisors.
final class MeasuredLayouts {
    private final ModelArchitecture model;
    private final int devices;
    private final List<Integer> tensorSizes;
    /// Of data parallelism and of expert groups those that are asked for; absent for the usual ones.
    private final @Nullable List<Integer> dataSizes;

    private final @Nullable List<Integer> groupSizes;

    MeasuredLayouts(ModelArchitecture model, MeasuredSizes sizes, int devices) {
        this.model = model;
        this.devices = devices;
        List<Integer> tp = dividing(sizes.tp());
        this.tensorSizes = tp == null ? List.of(devices) : tp;
        this.dataSizes = dividing(sizes.dp());
        this.groupSizes = dividing(sizes.ep());
    }

    /// Ranks of an attention data parallel group, and how many there are of these.
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

    /// Of replicas of which a whole number takes all devices.
    Stream<ParallelLayout> ofReplicas() {
        return splits().flatMap(this::layouts);
    }

    /// Of an instance that takes all devices.
    Stream<ParallelLayout> ofInstance() {
        return wholeSplits().flatMap(this::layouts);
    }

    /// How many [#ofReplicas] there are.
    long countOfReplicas() {
        Map<Integer, Long> groups = new HashMap<>();
        return splits().mapToLong(split -> groups.computeIfAbsent(
                        split.ranks(), ranks -> groups(ranks).count()))
                .sum();
    }

    /// How many [#ofInstance] there are.
    long countOfInstance() {
        return wholeSplits().count() * groups(devices).count();
    }

    private Stream<ParallelLayout> layouts(Split split) {
        return groups(split.ranks()).map(ep -> SiliconDeployment.layout(model, split.tp, split.dp, ep));
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

    /// Attention data parallel sizes of a replica. Models with experts try every size that divides `left`, so that
    /// replicas of every instance size are searched. In other models such a rank is a replica of its own.
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

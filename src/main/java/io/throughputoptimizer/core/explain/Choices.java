package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization.Weight;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.ParallelSizes;
import io.throughputoptimizer.core.search.QuantizationAxis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What of a question without an answer can be chosen anew for nothing: number formats that take less room than now,
/// those that give up least first, and sizes that were not asked for.
record Choices(Question question) {
    /// As servers usually have them first: scales of activations that are computed on the way.
    private static final List<LinearQuantization> LINEAR = List.of(
            LinearQuantization.FP8,
            LinearQuantization.W8A8_DYNAMIC,
            LinearQuantization.W8A8_STATIC,
            LinearQuantization.W4A8_DYNAMIC,
            LinearQuantization.W4A8_STATIC,
            LinearQuantization.MXFP4);

    private static final List<AttentionQuantization> CACHES =
            List.of(AttentionQuantization.FP8, AttentionQuantization.INT8);

    /// Each alone; of those in one list the first that suffices will do.
    List<List<Variant>> all() {
        List<List<Variant>> all = new ArrayList<>();
        QuantizationAxis axis = axes().quantization();
        QuantizationScheme now = axis.first();
        all.addAll(linear(axis.linear(), Choice.LINEAR_QUANTIZATION, now.linear(), now::withLinear));
        if (!axis.nonExpertLinear().isEmpty()) {
            all.addAll(linear(
                    axis.nonExpertLinear(),
                    Choice.NON_EXPERT_QUANTIZATION,
                    now.nonExperts(),
                    now::withNonExpertLinear));
        }
        all.addAll(caches(axis, now));
        ParallelSizes sizes = axes().sizes();
        sizes(
                Choice.TENSOR_PARALLEL,
                sizes.tp(),
                any -> new ParallelSizes(any, sizes.ep(), sizes.moeDp(), sizes.dcp()),
                all);
        if (question.problem().model().experts().isPresent()) {
            sizes(
                    Choice.EXPERT_PARALLEL,
                    sizes.ep(),
                    any -> new ParallelSizes(sizes.tp(), any, sizes.moeDp(), sizes.dcp()),
                    all);
        }
        return all;
    }

    private List<List<Variant>> linear(
            List<LinearQuantization> asked,
            Choice lever,
            LinearQuantization now,
            Function<LinearQuantization, QuantizationScheme> changed) {
        return Stream.of(Weight.FP8, Weight.INT8, Weight.PACKED_INT4, Weight.MXFP4)
                .map(weight -> LINEAR.stream()
                        .filter(linear -> linear.weight() == weight && !asked.contains(linear))
                        .filter(linear -> bits(linear) <= bits(now) && question.rates(linear))
                        .flatMap(linear -> variant(Change.of(lever, now, linear), changed.apply(linear)).stream())
                        .toList())
                .filter(ofWeight -> !ofWeight.isEmpty())
                .toList();
    }

    private static int bits(LinearQuantization linear) {
        return switch (linear.weight()) {
            case HALF -> 16;
            case INT8, FP8 -> 8;
            case PACKED_INT4, MXFP4 -> 4;
        };
    }

    private List<List<Variant>> caches(QuantizationAxis axis, QuantizationScheme now) {
        return CACHES.stream()
                .filter(cache -> !axis.attention().contains(cache) && question.rates(cache))
                .flatMap(cache ->
                        variant(Change.of(Choice.CACHE_QUANTIZATION, now.attention(), cache), now.withAttention(cache))
                                .stream())
                .map(List::of)
                .toList();
    }

    private Optional<Variant> variant(Change change, QuantizationScheme scheme) {
        return Variant.of(change, question.with(axes().with(QuantizationAxis.of(scheme))));
    }

    private void sizes(
            Choice lever,
            @Nullable List<Integer> asked,
            Function<List<Integer>, ParallelSizes> changed,
            List<List<Variant>> all) {
        if (asked != null && !asked.isEmpty()) {
            Variant.of(Change.of(lever, asked, List.of()), question.with(axes().with(changed.apply(List.of()))))
                    .map(List::of)
                    .ifPresent(all::add);
        }
    }

    private Axes axes() {
        return question.problem().search().axes();
    }

    /// Kinds of device with more memory, of the same vendor, the least memory first; none where prices are asked for,
    /// or numbers by kind: those of others are not known.
    List<Variant> devices() {
        if (question.objective().isCost() || question.available().isByKind()) {
            return List.of();
        }
        List<Variant> variants = new ArrayList<>();
        question.problem()
                .devices()
                .forEach(now -> question.others().stream()
                        .filter(other -> other.vendor().equals(now.vendor())
                                && other.memory().capacityBytes() > now.memory().capacityBytes())
                        .sorted(Comparator.comparingDouble(
                                other -> other.memory().capacityBytes()))
                        .flatMap(other -> Variant.of(
                                Change.of(Choice.DEVICE, now.name(), other.name()), question.replacing(now, other))
                                .stream())
                        .forEach(variants::add));
        return variants;
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem.Sizes;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What of a question about measured devices that has no answer can be chosen anew for nothing: number formats that
/// take
/// less room than now, those that give up least first, and sizes that were not asked for.
record MeasuredChoices(MeasuredQuestion question) {

    /// Each alone; of those in one list the first that suffices will do.
    List<List<Variant>> all() {
        List<Optional<Variant>> variants = new ArrayList<>();
        MeasuredVariants formats = new MeasuredVariants(question);
        if (!question.isMeasured()) {
            formats(formats, variants);
        }
        Sizes sizes = question.problem().sizes();
        variants.add(sizes(
                Choice.TENSOR_PARALLEL,
                sizes.tp(),
                any -> new Sizes(any, sizes.dp(), sizes.ep(), sizes.speculations())));
        variants.add(sizes(
                Choice.DATA_PARALLEL, sizes.dp(), any -> new Sizes(sizes.tp(), any, sizes.ep(), sizes.speculations())));
        if (question.problem().model().experts().isPresent()) {
            variants.add(sizes(
                    Choice.EXPERT_PARALLEL,
                    sizes.ep(),
                    any -> new Sizes(sizes.tp(), sizes.dp(), any, sizes.speculations())));
        }
        return variants.stream().flatMap(Optional::stream).map(List::of).toList();
    }

    private void formats(MeasuredVariants formats, List<Optional<Variant>> variants) {
        Precision now = question.device().precision();
        Arrays.stream(Scheme.values())
                .filter(scheme -> scheme != now.scheme() && weightBytes(scheme) < weightBytes(now.scheme()))
                .sorted(Comparator.comparingDouble(this::weightBytes).reversed())
                .map(formats::with)
                .forEach(variants::add);
        formats.caches(cache -> cache.bytes() < now.cache().bytes(), variants);
    }

    /// Of most of the weights.
    private double weightBytes(Scheme scheme) {
        return question.problem().model().experts().isPresent()
                ? scheme.experts(question.device().calibration().peaks()).weightBytes()
                : scheme.dense().weightBytes();
    }

    private Optional<Variant> sizes(
            Choice lever, @Nullable List<Integer> asked, Function<List<Integer>, Sizes> changed) {
        return asked == null || asked.isEmpty()
                ? Optional.empty()
                : Variant.of(Change.of(lever, asked, List.of()), question.with(changed.apply(List.of())));
    }

    /// Kinds of device with more memory, the least memory first; none where prices are asked for, or numbers by
    /// kind: those of others are not known. None either where measurements correct figures: there are none of
    /// others.
    List<Variant> devices() {
        if (question.objective().isCost() || question.available().isByKind() || question.isMeasured()) {
            return List.of();
        }
        List<Variant> variants = new ArrayList<>();
        for (MeasuredDevice now : question.problem().devices()) {
            question.alternatives().others().stream()
                    .filter(other -> memoryBytes(other) > memoryBytes(now))
                    .sorted(Comparator.comparingDouble(MeasuredChoices::memoryBytes))
                    .flatMap(
                            other -> Variant.of(
                                    Change.of(Choice.DEVICE, now.name(), other.name()), question.replacing(now, other))
                                    .stream())
                    .forEach(variants::add);
        }
        return variants;
    }

    private static double memoryBytes(MeasuredDevice device) {
        return device.calibration().peaks().memoryBytes();
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Alternatives of the calibrated model: formats with measured kernels, sizes of layouts, and kinds of device.
/// If the server itself was measured, sizes only, since the measurements cover no other formats.
record CalibratedChoices(CalibratedQuestion question) implements Choices {

    @Override
    public List<Variant> others(Plan today) {
        Precision now = now();
        return question.isMeasured()
                ? List.of()
                : Stream.concat(
                                caches(cache -> cache != now.cache()),
                                Arrays.stream(Scheme.values())
                                        .filter(scheme -> scheme != now.scheme())
                                        .flatMap(scheme -> with(scheme).stream()))
                        .toList();
    }

    @Override
    public List<List<Variant>> smaller() {
        if (question.isMeasured()) {
            return List.of();
        }
        Precision now = now();
        Stream<Variant> schemes = Arrays.stream(Scheme.values())
                .filter(scheme -> scheme != now.scheme() && weightBytes(scheme) < weightBytes(now.scheme()))
                .sorted(Comparator.comparingDouble(this::weightBytes).reversed())
                .flatMap(scheme -> with(scheme).stream());
        return Stream.concat(
                        schemes, caches(cache -> cache.bytes() < now.cache().bytes()))
                .map(List::of)
                .toList();
    }

    private Precision now() {
        return question.device().precision();
    }

    /// Returns variants with other KV cache types.
    private Stream<Variant> caches(Predicate<CacheType> tried) {
        Precision now = now();
        return Arrays.stream(CacheType.values())
                .filter(tried)
                .flatMap(cache -> Variant.of(
                        Change.of(Choice.CACHE_QUANTIZATION, now.cache().label(), cache.label()),
                        question.with(device -> device.with(new Precision(now.scheme(), cache, now.state(), false))))
                        .stream());
    }

    /// Returns the variant with another scheme and its default KV cache, or empty if no checkpoints or kernels
    /// exist.
    private Optional<Variant> with(Scheme scheme) {
        if (!question.hasCheckpoints(scheme)) {
            return Optional.empty();
        }
        Precision now = now();
        Precision then = question.alternatives().with(scheme, now);
        return Variant.of(
                Change.of(Choice.LINEAR_QUANTIZATION, now.scheme(), scheme)
                        .bringing(
                                then.cache() == now.cache()
                                        ? null
                                        : then.cache().label()),
                question.with(device -> device.with(then)));
    }

    /// Returns the bytes per weight of routed experts if the model has any, else of dense layers.
    private double weightBytes(Scheme scheme) {
        return question.problem().model().experts().isPresent()
                ? scheme.experts(question.device().calibration().peaks()).weightBytes()
                : scheme.dense().weightBytes();
    }

    @Override
    public List<Variant> anySizes() {
        CalibratedSizes sizes = question.problem().sizes();
        List<Optional<Variant>> any = new ArrayList<>();
        any.add(anySize(Choice.TENSOR_PARALLEL, sizes.tp(), sizes::withTp));
        any.add(anySize(Choice.DATA_PARALLEL, sizes.dp(), sizes::withDp));
        if (question.problem().model().experts().isPresent()) {
            any.add(anySize(Choice.EXPERT_PARALLEL, sizes.ep(), sizes::withEp));
        }
        return any.stream().flatMap(Optional::stream).toList();
    }

    private Optional<Variant> anySize(
            Choice lever, @Nullable List<Integer> asked, Function<List<Integer>, CalibratedSizes> changed) {
        return Choices.anySize(lever, asked, () -> question.with(changed.apply(List.of())));
    }

    @Override
    public Stream<Variant> larger() {
        return question.isMeasured()
                ? Stream.empty()
                : question.problem().devices().stream()
                        .flatMap(now -> question.alternatives().others().stream()
                                .filter(other -> memoryBytes(other) > memoryBytes(now))
                                .sorted(Comparator.comparingDouble(CalibratedChoices::memoryBytes))
                                .flatMap(other -> Variant.of(
                                        Change.of(Choice.DEVICE, now.name(), other.name()),
                                        question.replacing(now, other))
                                        .stream()));
    }

    private static double memoryBytes(CalibratedDevice device) {
        return device.calibration().peaks().memoryBytes();
    }
}

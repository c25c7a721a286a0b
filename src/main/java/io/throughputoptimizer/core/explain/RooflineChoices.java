package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization.Weight;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Alternatives of the analytic model: quantizations with a rate on the devices, draft tokens, sizes of
/// layouts, and kinds of device.
record RooflineChoices(RooflineQuestion question) implements Choices {
    /// Linear quantizations, common ones first: dynamic activation scales before static ones.
    private static final List<LinearQuantization> LINEAR = List.of(
            LinearQuantization.FP8,
            LinearQuantization.W8A8_DYNAMIC,
            LinearQuantization.W8A8_STATIC,
            LinearQuantization.W4A8_DYNAMIC,
            LinearQuantization.W4A8_STATIC,
            LinearQuantization.MXFP4);

    private static final List<AttentionQuantization> CACHES =
            List.of(AttentionQuantization.FP8, AttentionQuantization.INT8);

    /// Linear layers with their own quantization.
    ///
    /// @param asked quantizations in the search
    private record Layers(
            Choice lever,
            List<LinearQuantization> asked,
            LinearQuantization now,
            Function<LinearQuantization, QuantizationScheme> changed) {}

    @Override
    public List<Variant> others(Plan today) {
        QuantizationScheme now = today.chosen().candidate().deployment().quantization();
        List<Variant> others = new ArrayList<>(caches(List.of(AttentionQuantization.values()), now));
        for (Layers layers : layers(now)) {
            Arrays.stream(LinearQuantization.values())
                    .flatMap(linear -> linear(layers, linear).stream())
                    .forEach(others::add);
        }
        draftTokens(today.chosen().candidate().draftTokens()).forEach(others::add);
        return others;
    }

    private Stream<Variant> draftTokens(int now) {
        return Stream.of(now - 1, now + 1)
                .filter(drafts ->
                        drafts >= 0 && !question.axes().draftTokens().counts().contains(drafts))
                .flatMap(drafts -> Variant.of(
                        Change.of(Choice.DRAFT_TOKENS, now, drafts),
                        question.with(question.axes().with(new DraftTokenAxis(List.of(drafts)))))
                        .stream());
    }

    @Override
    public List<List<Variant>> smaller() {
        QuantizationScheme now = axis().first();
        List<List<Variant>> smaller = new ArrayList<>();
        layers(now).forEach(layers -> smaller.addAll(smaller(layers)));
        caches(CACHES, now).forEach(cache -> smaller.add(List.of(cache)));
        return smaller;
    }

    /// Returns the layers to vary; those outside routed experts only if the search sets their quantization.
    private List<Layers> layers(QuantizationScheme now) {
        QuantizationAxis axis = axis();
        Layers all = new Layers(Choice.LINEAR_QUANTIZATION, axis.linear(), now.linear(), now::withLinear);
        return axis.nonExpertLinear().isEmpty()
                ? List.of(all)
                : List.of(
                        all,
                        new Layers(
                                Choice.NON_EXPERT_QUANTIZATION,
                                axis.nonExpertLinear(),
                                now.nonExperts(),
                                now::withNonExpertLinear));
    }

    private List<List<Variant>> smaller(Layers layers) {
        return Stream.of(Weight.FP8, Weight.INT8, Weight.PACKED_INT4, Weight.MXFP4)
                .map(weight -> LINEAR.stream()
                        .filter(linear -> linear.weight() == weight && bits(linear) <= bits(layers.now))
                        .flatMap(linear -> linear(layers, linear).stream())
                        .toList())
                .filter(ofWeight -> !ofWeight.isEmpty())
                .toList();
    }

    private Optional<Variant> linear(Layers layers, LinearQuantization other) {
        return layers.asked.contains(other) || !question.rates(other)
                ? Optional.empty()
                : variant(Change.of(layers.lever, layers.now, other), layers.changed.apply(other));
    }

    private static int bits(LinearQuantization linear) {
        return switch (linear.weight()) {
            case HALF -> 16;
            case INT8, FP8 -> 8;
            case PACKED_INT4, MXFP4 -> 4;
        };
    }

    private List<Variant> caches(List<AttentionQuantization> tried, QuantizationScheme now) {
        return tried.stream()
                .filter(cache -> !axis().attention().contains(cache) && question.rates(cache))
                .flatMap(cache ->
                        variant(Change.of(Choice.CACHE_QUANTIZATION, now.attention(), cache), now.withAttention(cache))
                                .stream())
                .toList();
    }

    @Override
    public List<Variant> anySizes() {
        ParallelSizes sizes = question.axes().sizes();
        List<Optional<Variant>> any = new ArrayList<>();
        any.add(anySize(
                Choice.TENSOR_PARALLEL,
                sizes.tp(),
                all -> new ParallelSizes(all, sizes.ep(), sizes.moeDp(), sizes.dcp())));
        if (question.problem().model().experts().isPresent()) {
            any.add(anySize(
                    Choice.EXPERT_PARALLEL,
                    sizes.ep(),
                    all -> new ParallelSizes(sizes.tp(), all, sizes.moeDp(), sizes.dcp())));
        }
        return any.stream().flatMap(Optional::stream).toList();
    }

    private Optional<Variant> anySize(
            Choice lever, @Nullable List<Integer> asked, Function<List<Integer>, ParallelSizes> changed) {
        return Choices.anySize(lever, asked, () -> question.with(question.axes().with(changed.apply(List.of()))));
    }

    /// Returns larger devices of the same vendor.
    @Override
    public Stream<Variant> larger() {
        return question.problem().devices().stream()
                .flatMap(now -> question.others().stream()
                        .filter(other -> other.vendor().equals(now.vendor())
                                && other.memory().capacityBytes() > now.memory().capacityBytes())
                        .sorted(Comparator.comparingDouble(
                                other -> other.memory().capacityBytes()))
                        .flatMap(other -> Variant.of(
                                Change.of(Choice.DEVICE, now.name(), other.name()), question.replacing(now, other))
                                .stream()));
    }

    private QuantizationAxis axis() {
        return question.axes().quantization();
    }

    private Optional<Variant> variant(Change change, QuantizationScheme scheme) {
        return Variant.of(change, question.with(question.axes().with(QuantizationAxis.of(scheme))));
    }
}

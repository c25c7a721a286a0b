package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Change.Lever;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.core.workload.Workload;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/// Looks for the least that must be given up, or bought, so that a question has an answer.
///
/// A limit is lifted first; if that helps, the least value that does is enclosed by halving, each time by a search, to
/// [#PRECISION] of itself, so that 0.1 % less fails as far as feasibility grows with the limit.
record NearestFeasible(Question question, Inquiry inquiry) {
    private static final double PRECISION = 4e-4;
    private static final int DOUBLINGS = 8;
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.UP);

    /// The single changes that suffice, the smallest first; where no limit alone does, limits that do together.
    List<Relaxation> relaxations() {
        List<Relaxation> found = new ArrayList<>();
        for (List<Lever> limit :
                List.of(List.of(Lever.TTFT_LIMIT), List.of(Lever.TPOT_LIMIT), List.of(Lever.MEMORY_SIZE))) {
            together(limit).ifPresent(found::add);
        }
        if (found.isEmpty()) {
            found.addAll(pairs());
        }
        new DeviceCounts(question, inquiry)
                .more()
                .ifPresent(
                        more -> found.add(new Relaxation(List.of(more.variant().change()), more.plan())));
        shorterInput().ifPresent(found::add);
        return found.stream()
                .sorted(Comparator.comparingDouble(Relaxation::size))
                .toList();
    }

    /// Two limits together, else all three. Which of two is lifted less is a choice: the smaller sum of both orders is
    /// taken.
    private List<Relaxation> pairs() {
        List<List<Lever>> orders = List.of(
                List.of(Lever.TTFT_LIMIT, Lever.TPOT_LIMIT),
                List.of(Lever.TTFT_LIMIT, Lever.MEMORY_SIZE),
                List.of(Lever.TPOT_LIMIT, Lever.MEMORY_SIZE));
        List<Relaxation> found = new ArrayList<>();
        for (List<Lever> order : orders) {
            together(order).stream()
                    .flatMap(one -> together(order.reversed()).stream().flatMap(other -> List.of(one, other).stream()))
                    .min(Comparator.comparingDouble(Relaxation::size))
                    .ifPresent(found::add);
        }
        if (found.isEmpty()) {
            together(List.of(Lever.MEMORY_SIZE, Lever.TTFT_LIMIT, Lever.TPOT_LIMIT))
                    .ifPresent(found::add);
        }
        return found;
    }

    /// All these limits are lifted; then one after another is lowered as far as the others allow.
    private Optional<Relaxation> together(List<Lever> levers) {
        Question lifted = question;
        for (Lever lever : levers) {
            Optional<Question> higher = lift(lifted, lever);
            if (higher.isEmpty()) {
                return Optional.empty();
            }
            lifted = higher.get();
        }
        if (inquiry.best(lifted).isEmpty()) {
            return Optional.empty();
        }
        List<Change> changes = new ArrayList<>();
        for (Lever lever : levers) {
            Question others = lifted;
            Optional<Variant> least = least(
                    amount(question, lever),
                    value -> set(others, lever, value)
                            .map(changed -> new Variant(Change.of(lever, amount(question, lever), value), changed)));
            if (least.isEmpty()) {
                return Optional.empty();
            }
            changes.add(least.get().change());
            lifted = least.get().question();
        }
        return inquiry.best(lifted).map(plan -> new Relaxation(changes, plan));
    }

    /// The least value that suffices: doubled until it does, then enclosed from both sides.
    private Optional<Variant> least(double today, DoubleFunction<Optional<Variant>> at) {
        double fails = today;
        double value = today;
        Optional<Variant> suffices = Optional.empty();
        for (int doubling = 0; suffices.isEmpty() && doubling < DOUBLINGS * 4; doubling++) {
            value = written(value * 2);
            suffices = at.apply(value).filter(this::answered);
            fails = suffices.isEmpty() ? value : fails;
        }
        while (suffices.isPresent() && value - fails > PRECISION * fails) {
            double middle = written((fails + value) / 2);
            Optional<Variant> tried = at.apply(middle).filter(this::answered);
            if (tried.isPresent()) {
                suffices = tried;
                value = middle;
            } else {
                fails = middle;
            }
        }
        return suffices;
    }

    private boolean answered(Variant variant) {
        return inquiry.best(variant.question()).isPresent();
    }

    private Optional<Relaxation> shorterInput() {
        if (!(question.workload().lengths() instanceof Lengths.Fixed(int today))
                || inquiry.best(input(1)).isEmpty()) {
            return Optional.empty();
        }
        int suffices = 1;
        int fails = today;
        while (fails - suffices > 1) {
            int middle = suffices + (fails - suffices) / 2;
            if (inquiry.best(input(middle)).isPresent()) {
                suffices = middle;
            } else {
                fails = middle;
            }
        }
        Change change = Change.of(Lever.INPUT_LENGTH, today, suffices);
        return inquiry.best(input(suffices)).map(plan -> new Relaxation(List.of(change), plan));
    }

    private Question input(int tokens) {
        Workload now = question.workload();
        return question.with(new Workload(
                        new Lengths.Fixed(tokens), now.outputTokens(), now.prefixCacheHitRate(), now.images()))
                .orElse(question);
    }

    /// The question with a limit so high that it does not bind; empty when there is no such limit.
    private static Optional<Question> lift(Question question, Lever lever) {
        double high =
                lever == Lever.MEMORY_SIZE ? amount(question, lever) * (1 << DOUBLINGS) : Double.POSITIVE_INFINITY;
        return set(question, lever, high);
    }

    private static double amount(Question question, Lever lever) {
        ServiceObjective limits = question.limits();
        return switch (lever) {
            case TTFT_LIMIT -> orNone(limits.ttftMillis());
            case TPOT_LIMIT -> orNone(limits.tpotMillis());
            case MEMORY_SIZE -> Variants.gib(question);
            case DEVICE_COUNT,
                    INPUT_LENGTH,
                    MEMORY_BANDWIDTH,
                    MATRIX_RATE,
                    LINK_BANDWIDTH,
                    LINK_LATENCY,
                    STATIC_COSTS,
                    CACHE_QUANTIZATION,
                    LINEAR_QUANTIZATION,
                    DRAFT_TOKENS,
                    TOKEN_BUDGET,
                    PREFIX_CACHE_HIT_RATE ->
                throw new IllegalArgumentException("lever is " + lever + ": a limit is needed");
        };
    }

    /// Of a limit that a question does not have.
    private static double orNone(@Nullable Double limit) {
        return limit == null ? Double.NaN : limit;
    }

    private static Optional<Question> set(Question question, Lever lever, double value) {
        double today = amount(question, lever);
        if (Double.isNaN(today)) {
            return Optional.empty();
        }
        ServiceObjective limits = question.limits();
        if (lever == Lever.TTFT_LIMIT) {
            return question.with(new ServiceObjective(value, limits.tpotMillis()));
        }
        return lever == Lever.TPOT_LIMIT
                ? question.with(new ServiceObjective(limits.ttftMillis(), value))
                : question.with(new ScaledDevice(question.device(), value / today).of(lever));
    }

    private static double written(double value) {
        return new BigDecimal(value).round(DIGITS).doubleValue();
    }
}

package io.throughputoptimizer.core.explain;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.explain.Inquiry.Answered;
import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Variants.Variant;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Looks for the least that must be given up, or bought, so that a question has an answer.
///
/// A limit is lifted first; if that helps, the least value that does is enclosed by halving, each time by a search, to
/// [#PRECISION] of itself, so that 0.1 % less fails as far as feasibility grows with the limit.
record NearestFeasible(Asked question, Inquiry inquiry) {
    private static final double PRECISION = 4e-4;
    private static final int MOST_DOUBLINGS = 32;
    /// Twice of it, and the sum of two of those, are numbers still.
    private static final double MOST_DOUBLED = Double.MAX_VALUE / 4;
    private static final int MOST_HALVINGS = 16;
    private static final double LIFTED_MEMORY = 256;
    private static final List<Adjustable> LATENCIES = List.of(Lever.Limit.TTFT_LIMIT, Lever.Limit.TPOT_LIMIT);
    private static final MathContext DIGITS = new MathContext(6, RoundingMode.UP);

    /// The single changes that suffice, the smallest first; where no limit alone does, limits that do together.
    List<Relaxation> relaxations() {
        List<Relaxation> found = new ArrayList<>();
        limits().forEach(limit -> together(List.of(limit)).ifPresent(found::add));
        if (found.isEmpty()) {
            found.addAll(pairs());
        }
        question.deviceCounts().stream()
                .flatMap(count -> new DeviceCounts(question, inquiry, count).more().stream())
                .map(NearestFeasible::alone)
                .forEach(found::add);
        inquiry.whole(List.of(Choice.INPUT_LENGTH), this::shorterInput)
                .map(NearestFeasible::alone)
                .ifPresent(found::add);
        fewerRequests().map(NearestFeasible::alone).ifPresent(found::add);
        return found.stream()
                .sorted(Comparator.comparingDouble(Relaxation::size))
                .toList();
    }

    private static Relaxation alone(Answered answered) {
        return new Relaxation(List.of(answered.variant().change()), answered.plan());
    }

    /// Limits on latencies, and what devices and their links set.
    private List<Adjustable> limits() {
        List<Adjustable> limits = new ArrayList<>(LATENCIES);
        limits.addAll(question.levers(DeviceFigure.MEMORY_SIZE));
        Stream.of(Lever.Transfer.values())
                .filter(transfer -> question.amount(transfer) != null)
                .forEach(limits::add);
        return limits;
    }

    /// Two limits together, else all of memory and latencies; a TTFT limit that is lifted leaves transfers any time.
    /// Which of two is lifted less is a choice: the smaller sum of both orders is taken.
    private List<Relaxation> pairs() {
        List<Adjustable> limits = limits();
        List<Relaxation> found = new ArrayList<>();
        for (int first = 0; first < limits.size(); first++) {
            for (Adjustable second : limits.subList(first + 1, limits.size())) {
                List<Adjustable> pair = List.of(limits.get(first), second);
                Stream.of(pair, pair.reversed())
                        .flatMap(order -> together(order).stream())
                        .min(Comparator.comparingDouble(Relaxation::size))
                        .ifPresent(found::add);
            }
        }
        if (found.isEmpty()) {
            List<Adjustable> all = new ArrayList<>(question.levers(DeviceFigure.MEMORY_SIZE));
            all.addAll(LATENCIES);
            together(all).ifPresent(found::add);
        }
        return found;
    }

    /// All these limits are lifted; then one after another is lowered as far as the others allow.
    private Optional<Relaxation> together(List<Adjustable> levers) {
        return levers.stream().allMatch(inquiry::affords)
                ? inquiry.whole(levers, () -> leastTogether(levers))
                : Optional.empty();
    }

    private Optional<Relaxation> leastTogether(List<Adjustable> levers) {
        Optional<Asked> lifted = Optional.of(question);
        for (Adjustable lever : levers) {
            lifted = lifted.flatMap(one -> lift(one, lever));
        }
        Optional<Plan> plan = lifted.flatMap(inquiry::best);
        List<Change> changes = new ArrayList<>();
        for (Adjustable lever : levers) {
            Optional<Answered> least =
                    plan.isEmpty() ? Optional.empty() : lifted.flatMap(others -> least(others, lever));
            least.ifPresent(one -> changes.add(one.variant().change()));
            lifted = least.map(one -> one.variant().question());
            plan = least.map(Answered::plan);
        }
        return plan.map(then -> new Relaxation(changes, then));
    }

    /// The least amount that suffices beside the others: doubled until it does, then enclosed from both sides.
    private Optional<Answered> least(Asked others, Adjustable lever) {
        double today = requireNonNull(question.amount(lever));
        double fails = today;
        double value = today;
        Optional<Answered> suffices = Optional.empty();
        for (int doubling = 0; suffices.isEmpty() && doubling < MOST_DOUBLINGS && value < MOST_DOUBLED; doubling++) {
            value = written(value * 2);
            suffices = answered(others, lever, today, value);
            fails = suffices.isEmpty() ? value : fails;
        }
        while (suffices.isPresent() && value - fails > PRECISION * fails) {
            double middle = written((fails + value) / 2);
            Optional<Answered> tried = answered(others, lever, today, middle);
            if (tried.isPresent()) {
                suffices = tried;
                value = middle;
            } else {
                fails = middle;
            }
        }
        return suffices;
    }

    private Optional<Answered> answered(Asked others, Adjustable lever, double today, double value) {
        return Variant.of(others, lever, today, value).flatMap(inquiry::answered);
    }

    private Optional<Answered> shorterInput() {
        OptionalInt now = question.inputTokens();
        if (now.isEmpty() || !inquiry.affords(Choice.INPUT_LENGTH)) {
            return Optional.empty();
        }
        int today = now.getAsInt();
        Optional<Answered> suffices = input(1, today);
        int least = 1;
        int fails = today;
        while (suffices.isPresent() && fails - least > 1) {
            int middle = least + (fails - least) / 2;
            Optional<Answered> tried = input(middle, today);
            if (tried.isPresent()) {
                suffices = tried;
                least = middle;
            } else {
                fails = middle;
            }
        }
        return suffices;
    }

    private Optional<Answered> input(int tokens, int today) {
        return Variant.of(Change.of(Choice.INPUT_LENGTH, today, tokens), question.withInput(tokens))
                .flatMap(inquiry::answered);
    }

    /// The highest rate that does: halved until it does, then enclosed from both sides.
    private Optional<Answered> fewerRequests() {
        OptionalDouble now = question.requestRate();
        if (now.isEmpty() || !inquiry.affords(Choice.REQUEST_RATE)) {
            return Optional.empty();
        }
        double today = now.getAsDouble();
        double fails = today;
        double value = today;
        Optional<Answered> suffices = Optional.empty();
        for (int halving = 0; suffices.isEmpty() && halving < MOST_HALVINGS; halving++) {
            value = written(value / 2);
            suffices = rate(value, today);
            fails = suffices.isEmpty() ? value : fails;
        }
        while (suffices.isPresent() && fails - value > PRECISION * value) {
            double middle = written((fails + value) / 2);
            Optional<Answered> tried = rate(middle, today);
            if (tried.isPresent()) {
                suffices = tried;
                value = middle;
            } else {
                fails = middle;
            }
        }
        return suffices;
    }

    private Optional<Answered> rate(double perSecond, double today) {
        return Variant.of(Change.of(Choice.REQUEST_RATE, today, perSecond), question.withRequestRate(perSecond))
                .flatMap(inquiry::answered);
    }

    /// The question with a limit so high that it does not bind; empty when there is no such limit, as when it is
    /// infinite already.
    private static Optional<Asked> lift(Asked question, Adjustable lever) {
        Double today = question.amount(lever);
        return today == null || today.isInfinite()
                ? Optional.empty()
                : question.with(lever, lifted(lever, today)).map(lifted -> lifted);
    }

    private static double lifted(Adjustable lever, double today) {
        return switch (lever) {
            case Lever.Limit _ -> Double.POSITIVE_INFINITY;
            case DeviceFigure _, Lever.FigureOf _ -> today * LIFTED_MEMORY;
            case Lever.Transfer _ -> TransferRate.MOST;
        };
    }

    private static double written(double value) {
        return new BigDecimal(value).round(DIGITS).doubleValue();
    }
}

package io.throughputoptimizer.core.explain;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.explain.Explanation.Relaxation;
import io.throughputoptimizer.core.explain.ExplanationSearch.Answered;
import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Lever.Limit;
import io.throughputoptimizer.core.explain.Lever.Transfer;
import io.throughputoptimizer.core.explain.Question.TransferRate;
import io.throughputoptimizer.core.explain.Variants.Variant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Finds the nearest feasible plans of an infeasible search: minimal changes of free choices, limits and
/// hardware, in this order. Memory is that of other kinds of device, and device counts are common ones.
record NearestFeasible(Question question, ExplanationSearch inquiry) {
    private static final int MOST_HALVINGS = 16;
    private static final List<Adjustable> LATENCIES = List.of(Limit.TTFT_LIMIT, Limit.TPOT_LIMIT);
    private static final List<List<Adjustable>> OF_LATENCIES =
            List.of(List.of(Limit.TTFT_LIMIT), List.of(Limit.TPOT_LIMIT), LATENCIES);
    private static final Comparator<Relaxation> SMALLEST_FIRST = Comparator.comparingDouble(Relaxation::size);

    /// Returns the single changes that make the search feasible; if neither a choice nor a limit suffices,
    /// combinations.
    List<Relaxation> relaxations() {
        List<List<Variant>> choices = question.choices().all();
        List<Relaxation> chosen = chosen(choices);
        List<Relaxation> limits = limits(latencies());
        List<Relaxation> given = new ArrayList<>(limits);
        inquiry.whole(List.of(Choice.INPUT_LENGTH), this::shorterInput)
                .map(NearestFeasible::alone)
                .ifPresent(given::add);
        inquiry.whole(List.of(Choice.REQUEST_RATE), this::fewerRequests)
                .map(NearestFeasible::alone)
                .ifPresent(given::add);
        List<Relaxation> bought = new ArrayList<>(limits(transfers()));
        if (chosen.isEmpty() && limits.isEmpty()) {
            if (bought.isEmpty()) {
                given.addAll(limitsTogether());
            }
            firstWithLimits(representatives(choices)).ifPresent(given::add);
        }
        question.deviceCounts().stream()
                .flatMap(count -> new DeviceCounts(question, inquiry, count).more().stream())
                .map(NearestFeasible::alone)
                .forEach(bought::add);
        List<Variant> devices = question.choices().devices();
        devices.stream()
                .flatMap(device -> answered(device).stream())
                .findFirst()
                .map(NearestFeasible::alone)
                .ifPresent(bought::add);
        if (chosen.isEmpty() && given.isEmpty() && bought.isEmpty()) {
            firstWithLimits(devices).ifPresent(bought::add);
        }
        return Stream.of(chosen.stream(), given.stream().sorted(SMALLEST_FIRST), bought.stream())
                .flatMap(relaxations -> relaxations)
                .toList();
    }

    private static Relaxation alone(Answered answered) {
        return new Relaxation(List.of(answered.variant().change()), answered.plan());
    }

    private Optional<Answered> answered(Variant variant) {
        Lever lever = variant.change().lever();
        return inquiry.affords(lever)
                ? inquiry.whole(List.of(lever), () -> inquiry.answered(variant))
                : Optional.empty();
    }

    /// Returns the choices that suffice alone, or else the first two that suffice together.
    private List<Relaxation> chosen(List<List<Variant>> choices) {
        List<Relaxation> alone = choices.stream()
                .flatMap(alike -> alike.stream()
                        .flatMap(choice -> answered(choice).stream())
                        .limit(1))
                .map(NearestFeasible::alone)
                .toList();
        return alone.isEmpty() ? twoChosen(representatives(choices)).stream().toList() : alone;
    }

    private static List<Variant> representatives(List<List<Variant>> choices) {
        return choices.stream().map(List::getFirst).toList();
    }

    /// Returns the first feasible combination of another linear quantization and the choices that remain with
    /// it.
    private Optional<Relaxation> twoChosen(List<Variant> choices) {
        return choices.stream()
                .filter(choice -> choice.change().lever() == Choice.LINEAR_QUANTIZATION)
                .flatMap(first -> representatives(first.question().choices().all()).stream()
                        .filter(second -> second.change().lever() != Choice.LINEAR_QUANTIZATION)
                        .flatMap(second -> answered(second).stream())
                        .map(second -> new Relaxation(
                                List.of(first.change(), second.variant().change()), second.plan())))
                .findFirst();
    }

    /// Returns the first change that suffices with one or both limits lifted.
    private Optional<Relaxation> firstWithLimits(List<Variant> changes) {
        return changes.stream().flatMap(change -> withLimits(change).stream()).findFirst();
    }

    private Optional<Relaxation> withLimits(Variant change) {
        LeastLimits limits = new LeastLimits(change.question(), inquiry);
        return Stream.concat(OF_LATENCIES.stream(), ofWholeAnswers())
                .flatMap(lifted -> limits.together(lifted).stream())
                .findFirst()
                .map(relaxed -> new Relaxation(
                        Stream.concat(Stream.of(change.change()), relaxed.changes().stream())
                                .toList(),
                        relaxed.plan()));
    }

    /// Returns the lists of limits to lift for an end-to-end latency limit: that limit, and all limits.
    private Stream<List<Adjustable>> ofWholeAnswers() {
        return isOnWholeAnswers()
                ? Stream.of(
                        List.of(Limit.E2E_LATENCY_LIMIT),
                        latencies().stream()
                                .filter(limit -> question.amount(limit) != null)
                                .toList())
                : Stream.of();
    }

    private List<Adjustable> latencies() {
        return isOnWholeAnswers()
                ? Stream.concat(LATENCIES.stream(), Stream.of(Limit.E2E_LATENCY_LIMIT))
                        .toList()
                : LATENCIES;
    }

    private boolean isOnWholeAnswers() {
        return question.amount(Limit.E2E_LATENCY_LIMIT) != null;
    }

    private List<Relaxation> limits(List<? extends Adjustable> levers) {
        LeastLimits limits = new LeastLimits(question, inquiry);
        return levers.stream()
                .flatMap(lever -> limits.together(List.of(lever)).stream())
                .toList();
    }

    private List<Adjustable> transfers() {
        return Stream.of(Transfer.values())
                .<Adjustable>map(transfer -> transfer)
                .filter(transfer -> question.amount(transfer) != null)
                .toList();
    }

    /// Returns the feasible combination of two limits. A lifted TTFT limit allows any transfer time. Of both
    /// orders of lowering, the one with the smaller sum of changes is taken.
    private List<Relaxation> limitsTogether() {
        LeastLimits least = new LeastLimits(question, inquiry);
        List<Adjustable> limits = new ArrayList<>(latencies());
        limits.addAll(transfers());
        List<Relaxation> found = new ArrayList<>();
        for (int first = 0; first < limits.size(); first++) {
            for (Adjustable second : limits.subList(first + 1, limits.size())) {
                List<Adjustable> pair = List.of(limits.get(first), second);
                Stream.of(pair, pair.reversed())
                        .flatMap(order -> least.together(order).stream())
                        .min(SMALLEST_FIRST)
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private Optional<Answered> shorterInput() {
        OptionalInt now = question.inputTokens();
        if (now.isEmpty() || !inquiry.affords(Choice.INPUT_LENGTH)) {
            return Optional.empty();
        }
        int today = now.getAsInt();
        return ThresholdBisection.mostBelow(today, tokens -> input(tokens, today));
    }

    private Optional<Answered> input(int tokens, int today) {
        return Variant.of(Change.of(Choice.INPUT_LENGTH, today, tokens), question.withInput(tokens))
                .flatMap(inquiry::answered);
    }

    /// Returns the highest feasible arrival rate.
    private Optional<Answered> fewerRequests() {
        OptionalDouble now = question.requestRate();
        if (now.isEmpty() || !inquiry.affords(Choice.REQUEST_RATE)) {
            return Optional.empty();
        }
        double today = now.getAsDouble();
        return ThresholdBisection.nearest(
                today, 0.5, MOST_HALVINGS, Double.POSITIVE_INFINITY, value -> rate(value, today));
    }

    private Optional<Answered> rate(double perSecond, double today) {
        return Variant.of(Change.of(Choice.REQUEST_RATE, today, perSecond), question.withRequestRate(perSecond))
                .flatMap(inquiry::answered);
    }

    /// Finds the smallest limits that make a search feasible.
    ///
    /// A limit is lifted first; if that helps, the smallest sufficient value is [bisected][ThresholdBisection].
    ///
    /// @param question search that is infeasible within its limits
    record LeastLimits(Question question, ExplanationSearch inquiry) {
        private static final int MOST_DOUBLINGS = 32;
        /// Bound below which doubled values and their sums remain finite.
        private static final double MOST_DOUBLED = Double.MAX_VALUE / 4;

        private static final double LIFTED_FIGURE = 256;

        /// Lifts all these limits, then lowers one after another as far as the others allow.
        Optional<Relaxation> together(List<Adjustable> levers) {
            return levers.stream().allMatch(inquiry::affords)
                    ? inquiry.whole(levers, () -> leastTogether(levers))
                    : Optional.empty();
        }

        private Optional<Relaxation> leastTogether(List<Adjustable> levers) {
            Optional<Question> lifted = Optional.of(question);
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

        /// Returns the smallest feasible amount given the other limits.
        private Optional<Answered> least(Question others, Adjustable lever) {
            double today = requireNonNull(question.amount(lever));
            return ThresholdBisection.nearest(
                    today, 2, MOST_DOUBLINGS, MOST_DOUBLED, value -> answered(others, lever, today, value));
        }

        private Optional<Answered> answered(Question others, Adjustable lever, double today, double value) {
            return Variant.of(others, lever, today, value).flatMap(inquiry::answered);
        }

        /// Returns the search with a limit too high to bind, or empty if there is no finite limit.
        private static Optional<Question> lift(Question question, Adjustable lever) {
            Double today = question.amount(lever);
            return today == null || today.isInfinite()
                    ? Optional.empty()
                    : question.with(lever, lifted(lever, today)).map(lifted -> lifted);
        }

        private static double lifted(Adjustable lever, double today) {
            return switch (lever) {
                case Lever.Limit _ -> Double.POSITIVE_INFINITY;
                case DeviceFigure _, Lever.FigureOf _ -> today * LIFTED_FIGURE;
                case Lever.Transfer _ -> TransferRate.MOST;
            };
        }
    }
}

package io.throughputoptimizer.core.forward.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.InPlaceDivide;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.Quantities;
import io.throughputoptimizer.core.operator.Quantity;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class MemoryLedgerTest {
    private static final double UNIT = Tensor.half(1000).bytes().number();

    @Test
    void inputsStayAndIntermediatesAreReleasedAfterTheirLastUse() {
        Tensor input = unit();
        Tensor first = unit();
        Tensor second = unit();
        Tensor last = unit();

        double peak = peak(segment(1, copy(input, first), copy(first, second), copy(second, last)));

        assertThat(peak).isEqualTo(2 * UNIT);
    }

    @Test
    void thePeakIsTheUsageBeforeAnOperatorNotDuringIt() {
        Tensor input = unit();
        Tensor large = Tensor.half(5000);

        assertThat(peak(segment(1, copy(input, large)))).isEqualTo(UNIT + 5 * UNIT);
        assertThat(peak(segment(1, copy(input, large), copy(large, unit())))).isEqualTo(UNIT + 5 * UNIT);
    }

    @Test
    void aTensorSeenThroughAViewIsReleasedTwice() {
        Tensor input = unit();
        Tensor made = unit();
        Tensor seen = unit();
        Tensor afterwards = Tensor.half(3000);

        double peak = peak(segment(
                1, copy(input, made), new View(made, List.of(seen)), copy(made, unit()), copy(seen, afterwards)));

        // one input, `made` and the unused copy; `made` is not released before its view's last use
        assertThat(peak).isEqualTo(UNIT + UNIT + UNIT + 3 * UNIT - UNIT);
    }

    @Test
    void anOutputNobodyReadsIsNeverReleasedSoEveryRepetitionAddsOne() {
        Tensor input = unit();
        Tensor unread = unit();

        double peak = peak(segment(5, copy(input, unread)));

        assertThat(peak).isEqualTo(5 * UNIT + 5 * UNIT);
    }

    @Test
    void theSameHoldsForSegmentsWithinSegments() {
        Tensor input = unit();
        Tensor unread = unit();
        ForwardPass.Segment inner = segment(3, copy(input, unread));

        double peak = peak(new ForwardPass.Segment(List.of(inner), Form.of(2), List.of()));

        assertThat(peak).isEqualTo(6 * UNIT + 6 * UNIT);
    }

    @Test
    void repetitionsOfSeveralSegmentsShareTheInputsTheyName() {
        Tensor named = unit();
        Tensor output = unit();
        ForwardPass.Step three = new ForwardPass.Segment(calls(copy(named, output)), Form.of(3), List.of(named));
        ForwardPass.Step five = new ForwardPass.Segment(calls(copy(named, output)), Form.of(5), List.of(named));

        double peak = peak(new ForwardPass.Segment(List.of(three, five), Form.ONE, List.of()));

        assertThat(peak).isEqualTo(5 * UNIT + (3 + 5) * UNIT);
    }

    @Test
    void aTensorChangedInPlaceIsNeverAddedButReleased() {
        Tensor input = unit();
        Tensor values = Tensor.half(3000);
        Tensor afterwards = unit();

        double peak = peak(segment(1, copy(input, values), new InPlaceDivide(values, input), copy(values, afterwards)));

        assertThat(peak).isEqualTo(UNIT);
    }

    @Test
    void aRepeatedSegmentEqualsItsRepetitionsWrittenOut() {
        Random random = new Random(20260101);
        for (int round = 0; round < 200; round++) {
            int repetitions = 1 + random.nextInt(6);
            long seed = random.nextLong();

            assertThat(peak(chain(seed, repetitions, true)))
                    .as("seed %d, %d repetitions", seed, repetitions)
                    .isEqualTo(peak(chain(seed, repetitions, false)));
        }
    }

    @Test
    void aPassOfFormsPeaksWhereThePassOfTheirValuesDoes() {
        Random random = new Random(20261122);
        for (int round = 0; round < 300; round++) {
            long seed = random.nextLong();
            Quantities quantities = new Quantities();
            quantities.set(Quantity.TOKENS, 1 + random.nextInt(500));
            quantities.set(Quantity.FULLER_EXPERTS, 1 + random.nextInt(6));
            UnaryOperator<Form> fixed = form -> Form.of(form.at(quantities));

            double varying = MemoryLedger.peakBytes(repeatedLayers(seed, UnaryOperator.identity())).stream()
                    .mapToDouble(form -> form.at(quantities))
                    .max()
                    .orElseThrow();

            assertThat(varying).as("seed %d", seed).isEqualTo(peak(repeatedLayers(seed, fixed)));
        }
    }

    /// Layers with a part in them that repeats as often as there are experts, on tensors with as many rows as tokens.
    private static ForwardPass repeatedLayers(long seed, UnaryOperator<Form> value) {
        Random random = new Random(seed);
        Tensor shared = Tensor.half(value.apply(Quantity.TOKENS.form()), 8);
        List<ForwardPass.Step> layer = new ArrayList<>(calls(layer(random, shared, value)));
        layer.add(new ForwardPass.Segment(
                calls(layer(random, shared, value)), value.apply(Quantity.FULLER_EXPERTS.form()), List.of()));
        layer.addAll(calls(layer(random, shared, value)));
        List<ForwardPass.Step> steps = List.of(
                segment(1, copy(unit(), shared)),
                new ForwardPass.Segment(layer, Form.of(3), List.of()),
                segment(1, copy(shared, unit())));
        return new ForwardPass(new ForwardPass.Segment(steps, Form.ONE, List.of()));
    }

    private static Operator[] layer(Random random, Tensor shared, UnaryOperator<Form> value) {
        List<Operator> operators = new ArrayList<>();
        List<Tensor> known = new ArrayList<>(List.of(shared, Tensor.half(1 + random.nextInt(900))));
        for (int step = 0; step < 10; step++) {
            Tensor source = known.get(random.nextInt(known.size()));
            long width = 1L + random.nextInt(9);
            Form rows = value.apply(Quantity.TOKENS.form());
            DataType type = random.nextInt(3) == 0 ? DataType.INT4 : DataType.FLOAT16;
            Tensor made = random.nextBoolean() ? Tensor.of(type, rows, width) : source.sameShape();
            operators.add(random.nextInt(3) == 0 ? new View(source, List.of(source.sameShape())) : copy(source, made));
            known.add(operators.getLast().outputs().getFirst());
        }
        operators.add(copy(known.getLast(), shared));
        return operators.toArray(Operator[]::new);
    }

    /// Equal layers that hand on one shared tensor, either repeated or written out.
    private static ForwardPass chain(long seed, int repetitions, boolean repeated) {
        Tensor shared = Tensor.half(777);
        List<ForwardPass.Step> segments = new ArrayList<>();
        segments.add(segment(1, copy(unit(), shared)));
        if (repeated) {
            segments.add(segment(repetitions, layer(new Random(seed), shared)));
        } else {
            for (int copy = 0; copy < repetitions; copy++) {
                segments.add(segment(1, layer(new Random(seed), shared)));
            }
        }
        segments.add(segment(1, copy(shared, unit())));
        return new ForwardPass(new ForwardPass.Segment(segments, Form.ONE, List.of()));
    }

    private static Operator[] layer(Random random, Tensor shared) {
        List<Operator> operators = new ArrayList<>();
        List<Tensor> known = new ArrayList<>(List.of(shared, Tensor.half(1 + random.nextInt(900))));
        for (int step = 0; step < 12; step++) {
            Tensor source = known.get(random.nextInt(known.size()));
            Tensor made = random.nextBoolean() ? Tensor.half(1 + random.nextInt(900)) : source.sameShape();
            operators.add(random.nextInt(3) == 0 ? new View(source, List.of(source.sameShape())) : copy(source, made));
            known.add(operators.getLast().outputs().getFirst());
        }
        operators.add(copy(known.getLast(), shared));
        return operators.toArray(Operator[]::new);
    }

    private static double peak(ForwardPass.Segment segment) {
        return peak(new ForwardPass(segment));
    }

    private static double peak(ForwardPass pass) {
        return MemoryLedger.peakBytes(pass).stream()
                .mapToDouble(Form::number)
                .max()
                .orElseThrow();
    }

    private static ForwardPass.Segment segment(int repetitions, Operator... operators) {
        return new ForwardPass.Segment(calls(operators), Form.of(repetitions), List.of());
    }

    private static List<ForwardPass.Step> calls(Operator... operators) {
        return Arrays.stream(operators)
                .<ForwardPass.Step>map(ForwardPass.Call::new)
                .toList();
    }

    private static Operator copy(Tensor from, Tensor to) {
        return new Elementwise(Elementwise.Kind.CAST, List.of(from), to);
    }

    private static Tensor unit() {
        return Tensor.half(1000);
    }
}

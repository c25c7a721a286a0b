package io.throughputoptimizer.core.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FormTest {
    private static final List<Quantity> QUANTITIES = List.of(Quantity.TOKENS, Quantity.REQUESTS, Quantity.IMAGES);

    private final Random random = new Random(1_1);
    private final Quantities quantities = new Quantities();

    @Test
    void sumsDifferencesAndProductsEvaluateLikeNumbers() {
        for (int round = 0; round < 500; round++) {
            draw();
            Form left = form();
            Form right = form();

            assertThat(at(left.plus(right))).isEqualTo(at(left) + at(right));
            assertThat(at(left.minus(right))).isEqualTo(at(left) - at(right));
            assertThat(at(left.times(right))).isEqualTo(at(left) * at(right));
            assertThat(at(left.times(7).dividedBy(7))).isEqualTo(at(left));
        }
    }

    @Test
    void whatCancelsIsGone() {
        Form form = form().plus(Quantity.TOKENS.form());

        assertThat(form.minus(form)).isEqualTo(Form.ZERO);
        assertThat(form.times(0)).isEqualTo(Form.ZERO);
    }

    @Test
    void theOrderOfTermsAndFactorsDoesNotShow() {
        Form tokens = Quantity.TOKENS.form();
        Form requests = Quantity.REQUESTS.form();

        assertThat(tokens.plus(requests)).isEqualTo(requests.plus(tokens));
        assertThat(tokens.times(requests)).isEqualTo(requests.times(tokens)).hasSameHashCodeAs(requests.times(tokens));
    }

    @Test
    void packedElementsTakeWholeBytes() {
        for (int round = 0; round < 500; round++) {
            draw();
            Tensor packed = Tensor.of(DataType.INT4, form(), form(), 1 + random.nextInt(5));

            assertThat(at(packed.bytes().floor())).isEqualTo(Math.floor(at(packed.elements()) / 2));
        }
    }

    @Test
    void aFormThatIsNeverAboveAnotherIsNotAboveItAnywhere() {
        int compared = 0;
        for (int round = 0; round < 2000; round++) {
            draw();
            Form left = form();
            Form right = form();
            if (left.isNeverAbove(right)) {
                compared++;
                assertThat(at(left)).isLessThanOrEqualTo(at(right));
            }
        }
        assertThat(compared).isPositive();
    }

    @Test
    void formsEvaluatedTogetherEvaluateLikeEachByItself() {
        draw();
        List<Form> forms = Stream.generate(this::form).limit(50).toList();
        FormTable.Builder builder = new FormTable.Builder();
        List<Integer> places = forms.stream().map(builder::add).toList();
        FormTable table = builder.build();
        double[] values = new double[table.size()];
        table.evaluate(quantities, values);

        for (int form = 0; form < forms.size(); form++) {
            assertThat(values[places.get(form)]).isEqualTo(at(forms.get(form)));
        }
    }

    @Test
    void aFormThatVariesIsNoNumber() {
        assertThat(Form.of(12).number()).isEqualTo(12);
        assertThat(Form.ZERO.number()).isZero();
        assertThatIllegalStateException()
                .isThrownBy(() -> Quantity.TOKENS.form().number());
    }

    @Test
    void textShowsNumbersAndQuantities() {
        Form form =
                Quantity.TOKENS.form().times(Quantity.REQUESTS.form()).times(3).plus(8);

        assertThat(form).hasToString("3.0 TOKENS REQUESTS + 8.0");
        assertThat(Tensor.half(1, Quantity.TOKENS.form(), 4096).at(quantities)).isEqualTo("[1, 0, 4096]:float16");
    }

    /// Up to two terms of up to two factors, and a number.
    private Form form() {
        Form sum = Form.of(random.nextInt(4));
        for (int term = 0; term < 2; term++) {
            Form product = Form.of(random.nextInt(4));
            for (int factor = 0; factor < 2; factor++) {
                product = random.nextBoolean() ? product.times(any().form()) : product;
            }
            sum = sum.plus(product);
        }
        return sum;
    }

    private Quantity any() {
        return QUANTITIES.get(random.nextInt(QUANTITIES.size()));
    }

    private void draw() {
        QUANTITIES.forEach(quantity -> quantities.set(quantity, random.nextInt(50)));
    }

    private double at(Form form) {
        return form.at(quantities);
    }
}

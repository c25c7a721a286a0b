package io.throughputoptimizer.api.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.wire.RequestValidator;
import jakarta.validation.Validation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much is accepted is one component, which stands in the object of what is drafted, or in one of its own.
class SpeculationRequestTest {
    @Test
    void acceptanceIsReadAndWrittenInTheObjectOfWhatIsDrafted() {
        String text = "{\"num_draft_tokens\":3, \"acceptance\": {\"rates\":[0.8,0.5,0.3]}, \"request_ms\":0.2}";
        SpeculationRequest read = WireFormat.read(text, SpeculationRequest.class);

        assertThat(read.acceptance()).isEqualTo(WireFormat.read("{\"rates\":[0.8,0.5,0.3]}", AcceptanceRequest.class));
        assertThat(WireFormat.read(WireFormat.write(read), SpeculationRequest.class))
                .isEqualTo(read);
        assertThat(WireFormat.write(read)).contains("\"acceptance\":{\"rates\":[0.8,0.5,0.3]}");
        assertThat(WireFormat.read("{\"num_draft_tokens\":0}", SpeculationRequest.class)
                        .acceptance())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"num_draft_tokens\": 3} | /speculation/acceptance | must have exactly one of length, rates and curve",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"rates\": [0.5, 2, 0.1]}} | /speculation/acceptance/rates/1 | must be at most 1",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"rates\": [0.5, 0.6, 0.1]}} | /speculation/acceptance/rates/1 | must not be above the previous rate",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 0.5}} | /speculation/acceptance/length | must be at least 1",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 4.5}} | /speculation/acceptance/length | must be at most 4",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"curve\": \"mine\"}} | /speculation/acceptance/curve | must be one of",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"rates\": [0.5, \"x\"]}} | /speculation/acceptance/rates/1 | must be a number",
                "{\"num_draft_tokens\": 3, \"accepted\": 2} | /speculation/accepted"
                        + " | is not a known field; allowed: acceptance, num_draft_tokens, request_ms"
            })
    void whatIsWrongIsNamedWhereItStands(String speculation, String pointer, String words) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> new RequestValidator(Validation.buildDefaultValidatorFactory())
                        .check(WireFormat.read(
                                WireFormat.Syntax.JSON,
                                ("{\"model_id\": \"zai-org/GLM-5\", \"speculation\": " + speculation + "}")
                                        .getBytes(UTF_8),
                                EstimateRequest.class)))
                .satisfies(refusal -> assertThat(refusal.violations()).anySatisfy(violation -> {
                    assertThat(violation.pointer()).isEqualTo(pointer);
                    assertThat(violation.message()).contains(words);
                }));
    }
}

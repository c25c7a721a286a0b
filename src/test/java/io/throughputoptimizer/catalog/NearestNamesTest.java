package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNamesTest {
    private static final List<String> NAMES =
            List.of("TEST_DEVICE", "ATLAS_800_A2_376T_64G", "ATLAS_800_A2_313T_64G", "ATLAS_350_425T_84G", "H100");

    @Test
    void aMisspelledNameFindsTheOneMeantFirst() {
        assertThat(NearestNames.of("ATLAS_800_A2_313_64G", NAMES)).startsWith("ATLAS_800_A2_313T_64G");
        assertThat(NearestNames.of("test-device", NAMES)).startsWith("TEST_DEVICE");
    }

    @Test
    void namesThatContainTheWantedOneComeFirst() {
        assertThat(NearestNames.of("A2", NAMES)).startsWith("ATLAS_800_A2_376T_64G", "ATLAS_800_A2_313T_64G");
    }

    @Test
    void noMoreThanThreeNamesAreSuggested() {
        assertThat(NearestNames.of("H20", NAMES)).hasSize(3).startsWith("H100");
    }

    @ParameterizedTest
    @CsvSource({"kitten, sitting, 3", "abc, abc, 0", "'', abc, 3", "abc, '', 3", "flaw, lawn, 2"})
    void distanceIsTheNumberOfLettersToChange(String from, String to, int expected) {
        assertThat(NearestNames.distance(from, to)).isEqualTo(expected);
    }

    @Test
    void theMessageNamesKindAndNeighbours() {
        assertThat(NearestNames.message("device", "H10", List.of("H100", "H200")))
                .isEqualTo("unknown device \"H10\"; nearest to it: H100, H200");
        assertThat(NearestNames.message("device", "H10", List.of())).isEqualTo("unknown device \"H10\"; none is known");
    }

    @Test
    void anEndlessNameIsComparedAndShownInPart() {
        String endless = "H100" + "x".repeat(1_000_000);

        assertThat(NearestNames.message("device", endless, NAMES)).hasSizeLessThan(300);
    }
}

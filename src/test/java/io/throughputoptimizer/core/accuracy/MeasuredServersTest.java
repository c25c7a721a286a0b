package io.throughputoptimizer.core.accuracy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.throughputoptimizer.catalog.MeasuredServers;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The measured servers that ship with the service, and the errors that the specification states on them.
class MeasuredServersTest {
    private static final List<ModelledServer> SERVERS = MeasuredServers.read(BuiltIn.CATALOGS).stream()
            .map(ModelledServer::of)
            .toList();
    /// In percent.
    private static final double AS_STATED = 0.2;

    @Test
    void theSteadyFiguresAreThoseRecordedWithTheRows() throws IOException {
        List<NamedCsvRecord> rows = rows();

        assertThat(SERVERS).hasSameSizeAs(rows);
        for (int row = 0; row < rows.size(); row++) {
            String id = rows.get(row).getField("id");
            assertThat(SERVERS.get(row).tpotMillis())
                    .as(id)
                    .isCloseTo(number(rows.get(row), "steady_tpot_ms"), withPercentage(3e-3));
            assertThat(SERVERS.get(row).ttftMillis())
                    .as(id)
                    .isCloseTo(number(rows.get(row), "steady_ttft_ms"), withPercentage(3e-3));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "dense, 396, 5.3, 12.1, 3.9",
        "experts, 626, 8.1, 22.7, 0.7",
        "all, 1022, 6.8, 19.4, 2.6",
    })
    void theErrorsOfTheTpotAreAsStated(String kind, int servers, double median, double ninetieth, double bias) {
        assertErrors(Errors.ofTpot(of(kind)), servers, median, ninetieth, bias);
    }

    @ParameterizedTest
    @CsvSource({
        "dense, 342, 13.1, 33.6, -0.3",
        "experts, 602, 23.1, 63.5, -1.0",
        "all, 944, 18.6, 53.4, -0.7",
    })
    void theErrorsOfTheTtftAreAsStated(String kind, int servers, double median, double ninetieth, double bias) {
        assertErrors(Errors.ofTtft(of(kind)), servers, median, ninetieth, bias);
    }

    @ParameterizedTest
    @CsvSource({
        "dense, 396, 15.5, 29.6, -15.5",
        "experts, 626, 23.1, 43.2, -23.0",
        "all, 1022, 18.9, 39.4, -18.8",
    })
    void aRooflineIsFurtherOff(String kind, int servers, double median, double ninetieth, double bias) {
        assertErrors(Errors.ofRooflineTpot(of(kind)), servers, median, ninetieth, bias);
    }

    @Test
    void withoutServersThereAreNoErrors() {
        assertThat(Errors.ofTpot(List.of())).isEmpty();
    }

    private static void assertErrors(
            Optional<Errors> errors, int servers, double median, double ninetieth, double bias) {
        assertThat(errors).hasValueSatisfying(known -> {
            assertThat(known.servers()).isEqualTo(servers);
            assertThat(known.median()).isCloseTo(median, within(AS_STATED));
            assertThat(known.ninetieth()).isCloseTo(ninetieth, within(AS_STATED));
            assertThat(known.bias()).isCloseTo(bias, within(AS_STATED));
        });
    }

    private static List<ModelledServer> of(String kind) {
        Predicate<ModelledServer> experts = modelled -> modelled.server().hasExperts();
        return switch (kind) {
            case "dense" -> SERVERS.stream().filter(experts.negate()).toList();
            case "experts" -> SERVERS.stream().filter(experts).toList();
            default -> SERVERS;
        };
    }

    private static List<NamedCsvRecord> rows() throws IOException {
        try (InputStreamReader text = new InputStreamReader(
                        new GZIPInputStream(requireNonNull(
                                MeasuredServers.class.getResourceAsStream("/accuracy/serving-rows.csv.gz"))),
                        StandardCharsets.UTF_8);
                CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(text)) {
            return rows.stream().toList();
        }
    }

    private static double number(NamedCsvRecord row, String column) {
        return Double.parseDouble(row.getField(column));
    }
}

package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CsvReportTest {
    private static final String HEADER = "rank,phase,device,num_devices,model_id,quantize_linear_action,"
            + "quantize_attention_action,input_length,num_input_tokens,output_length,effective_input_length,"
            + "max_batched_tokens,prefill_num_chunks,request_ratio,samples,concurrency,ttft_ms,tpot_ms,tokens_per_s,"
            + "tokens_per_s_per_device,parallel,batch_size,breakdown,prefill_breakdown,"
            + "decode_breakdown,requests_per_s,total_gb,weight_gb,kv_cache_gb,activation_gb,reserved_gb,available_gb,"
            + "memory_adjusted,memory_exact,accounting,sustained_requests_per_s";

    static Stream<Arguments> findings() {
        return Stream.of(
                Arguments.of("aggregation", SampleFindings.aggregation()),
                Arguments.of("disaggregation", SampleFindings.disaggregation()),
                Arguments.of("experts", SampleFindings.experts()),
                Arguments.of("mixed batch", SampleFindings.mixedPrefill()),
                Arguments.of("memory flags", SampleFindings.carefulMemory()),
                Arguments.of("nothing found", SampleFindings.infeasible()),
                Arguments.of("several devices", SampleFindings.comparison()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("findings")
    void thereIsOneHeaderAndItIsAlwaysTheSame(String name, Findings findings) {
        List<String> lines = ReportFormat.CSV.render(findings).lines().toList();

        assertThat(lines.getFirst()).as(name).isEqualTo(HEADER);
        assertThat(lines.subList(1, lines.size())).noneMatch(line -> line.startsWith("rank"));
    }

    @Test
    void warningsHaveAColumnWhereThereAreAny() {
        List<NamedCsvRecord> records = records(SampleFindings.warnings());

        assertThat(records)
                .extracting(line -> line.getField("warnings"))
                .containsExactly(
                        "its promise is more than it sustains",
                        "",
                        "its promise is more than it sustains; and nobody knows its link");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("findings")
    void figuresReadBackAsTheyWere(String name, Findings findings) {
        List<NamedCsvRecord> records = records(findings).stream()
                .filter(record -> !record.getField("rank").isEmpty())
                .toList();

        List<RowResponse> rows = findings.devices().stream()
                .flatMap(device -> device.phases().stream())
                .map(PhaseResponse::rows)
                .flatMap(List::stream)
                .toList();
        assertThat(records).as(name).hasSameSizeAs(rows);
        for (int i = 0; i < rows.size(); i++) {
            assertFigures(records.get(i), rows.get(i));
        }
    }

    private static void assertFigures(NamedCsvRecord line, RowResponse row) {
        assertThat(number(line, "ttft_ms")).isEqualTo(row.ttftMs());
        assertThat(number(line, "tpot_ms")).isEqualTo(row.tpotMs());
        assertThat(number(line, "tokens_per_s")).isEqualTo(row.tokensPerS());
        assertThat(number(line, "tokens_per_s_per_device")).isEqualTo(row.tokensPerSPerDevice());
        assertThat(number(line, "requests_per_s")).isEqualTo(row.requestsPerS());
        assertThat(number(line, "available_gb")).isEqualTo(row.memory().availableGb());
        assertThat(number(line, "weight_gb")).isEqualTo(row.memory().weightGb());
        assertThat(line.getField("memory_adjusted"))
                .isEqualTo(Boolean.toString(row.memory().isAdjusted()));
        assertThat(line.getField("memory_exact"))
                .isEqualTo(Boolean.toString(row.memory().isExact()));
        assertThat(line.getField("parallel")).isEqualTo(row.parallel().label());
        assertThat(line.getField("rank")).isEqualTo(Objects.toString(row.rank()));
        assertThat(line.getField("batch_size")).isEqualTo(Long.toString(row.batchSize()));
        assertThat(line.getField("concurrency")).isEqualTo(Long.toString(row.concurrency()));
    }

    @Test
    void detailsFollowTheirAggregateRowAndHaveNoFiguresOfTheirOwn() {
        Findings findings = SampleFindings.mixedPrefill();

        List<NamedCsvRecord> records = records(findings);

        RowResponse first =
                findings.devices().getFirst().phases().getFirst().rows().getFirst();
        assertThat(records.getFirst().getField("num_input_tokens")).isEqualTo("all");
        assertThat(records.getFirst().getField("request_ratio")).isEqualTo("1.0");
        assertThat(records.getFirst().getField("samples")).isEqualTo(Long.toString(first.concurrency()));
        List<CompositionResponse> parts = Objects.requireNonNull(first.composition());
        List<NamedCsvRecord> details = records.subList(1, 1 + parts.size());
        assertThat(details.stream().map(detail -> part(detail, parts.getFirst())))
                .isEqualTo(parts);
        assertThat(details).allSatisfy(detail -> {
            assertThat(detail.getField("parallel")).isEqualTo(first.parallel().label());
            assertThat(List.of(
                            "rank",
                            "ttft_ms",
                            "tpot_ms",
                            "tokens_per_s",
                            "tokens_per_s_per_device",
                            "breakdown",
                            "requests_per_s"))
                    .allSatisfy(column -> assertThat(detail.getField(column)).isEmpty());
        });
        assertThat(records.get(1 + details.size()).getField("rank")).isEqualTo("2");
    }

    private static CompositionResponse part(NamedCsvRecord detail, CompositionResponse sample) {
        int inputTokens = Integer.parseInt(detail.getField("num_input_tokens"));
        assertThat(sample.queryLen()).isEqualTo(sample.numInputTokens());
        return new CompositionResponse(
                inputTokens,
                inputTokens,
                Double.parseDouble(detail.getField("request_ratio")),
                Long.parseLong(detail.getField("samples")),
                null,
                null);
    }

    @Test
    void breakdownsStandInTheColumnsOfTheirMode() {
        NamedCsvRecord aggregation = records(SampleFindings.aggregation()).getFirst();
        assertThat(aggregation.getField("breakdown")).isEmpty();
        assertThat(aggregation.getField("prefill_breakdown"))
                .isEqualTo("Mem 10.00 | Comm 20.00 | Cube 65.12 | Vec 4.88");
        assertThat(aggregation.getField("decode_breakdown")).isEqualTo("Mem 66.67 | Comm 33.33 | Cube 0.00 | Vec 0.00");

        NamedCsvRecord decode = records(SampleFindings.experts()).getFirst();
        assertThat(decode.getField("breakdown")).isEqualTo("Mem 66.67 | Comm 33.33 | Cube 0.00 | Vec 0.00");
        assertThat(decode.getField("decode_breakdown")).isEmpty();
    }

    @Test
    void everyRecordedRowIsThereWhenThatIsAskedFor() {
        assertThat(records(SampleFindings.recorded()).stream().map(record -> record.getField("batch_size")))
                .containsExactly("1", "257");
    }

    @Test
    void everyLineNamesTheFormulasBehindIt() {
        assertThat(records(SampleFindings.aggregation()))
                .allSatisfy(record -> assertThat(record.getField("accounting")).isEqualTo("documented"));
        assertThat(records(SampleFindings.steady()).getFirst().getField("accounting"))
                .isEqualTo("steady");
        assertThat(records(SampleFindings.steadyPdRatio()).getFirst().getField("accounting"))
                .isEqualTo("steady");
    }

    @Test
    void aNameWithCommasQuotesAndLineEndsReadsBack() {
        String name = "a \"quoted\", name\r\nin two lines";
        List<PhaseResponse> phases =
                SampleFindings.aggregation().devices().getFirst().phases();

        Findings named = SampleFindings.findings(
                SampleFindings.limits(null, 50.0),
                SampleFindings.device(name, 8, phases.toArray(PhaseResponse[]::new)));

        assertThat(records(named).getFirst().getField("device")).isEqualTo(name);
    }

    @Test
    void ratiosHaveColumnsOfTheirOwnAndReadBackAsTheyWere() {
        Findings findings = SampleFindings.pdRatioComparison();

        List<NamedCsvRecord> records = records(findings);

        List<PdRatioRowResponse> rows = findings.devices().stream()
                .flatMap(device -> Stream.ofNullable(device.pdRatio()))
                .flatMap(result -> result.rows().stream())
                .toList();
        assertThat(records.getFirst().getHeader())
                .startsWith("rank", "device", "num_devices", "model_id")
                .contains(
                        "concurrency_d",
                        "prefill_instances",
                        "decode_instances",
                        "accounting",
                        "prefill_sustained_requests_per_s",
                        "decode_sustained_requests_per_s")
                .endsWith(
                        "devices_idle",
                        "most_prefill_instances",
                        "most_decode_instances",
                        "most_devices_used",
                        "most_requests_per_s",
                        "most_tokens_per_s")
                .hasSize(33);
        assertThat(records).hasSameSizeAs(rows).hasSize(4);
        for (int i = 0; i < rows.size(); i++) {
            assertFigures(records.get(i), rows.get(i));
        }
        assertThat(records.stream().map(record -> record.getField("device")))
                .containsExactly("TEST_DEVICE", "TEST_DEVICE", "ATLAS_350_425T_112G", "ATLAS_350_425T_112G");
        assertThat(records.getFirst().getField("num_devices")).isEqualTo("16");
        assertThat(records.getFirst().getField("devices_idle")).isEqualTo("2");
        assertThat(records.getFirst().getField("most_prefill_instances")).isEqualTo("1");
        assertThat(records.getFirst().getField("most_decode_instances")).isEqualTo("3");
        assertThat(number(records.getFirst(), "most_requests_per_s"))
                .isCloseTo(3 * requireNonNull(number(records.getFirst(), "decode_requests_per_s")), within(1e-3));
        assertThat(records.getLast().getField("most_requests_per_s")).isEmpty();
    }

    private static void assertFigures(NamedCsvRecord line, PdRatioRowResponse row) {
        assertThat(number(line, "pd_ratio")).isEqualTo(row.pdRatio());
        assertThat(number(line, "balanced_requests_per_s")).isEqualTo(row.balancedRequestsPerS());
        assertThat(number(line, "prefill_requests_per_s")).isEqualTo(row.prefillRequestsPerS());
        assertThat(number(line, "decode_requests_per_s")).isEqualTo(row.decodeRequestsPerS());
        assertThat(number(line, "ttft_ms")).isEqualTo(row.load().ttftMs());
        assertThat(number(line, "tpot_ms")).isEqualTo(row.load().tpotMs());
        assertThat(line.getField("parallel_p")).isEqualTo(row.prefillParallel().label());
        assertThat(line.getField("parallel_d")).isEqualTo(row.decodeParallel().label());
        assertThat(line.getField("num_devices_p")).isEqualTo(Integer.toString(row.prefillDevices()));
        assertThat(line.getField("num_devices_d")).isEqualTo(Integer.toString(row.decodeDevices()));
        assertThat(line.getField("batch_size_p")).isEqualTo(Objects.toString(row.prefillBatchSize()));
        assertThat(line.getField("batch_size_d")).isEqualTo(Objects.toString(row.decodeBatchSize()));
        assertThat(line.getField("concurrency_p")).isEqualTo(Objects.toString(row.prefillConcurrency()));
        assertThat(line.getField("concurrency_d")).isEqualTo(Objects.toString(row.decodeConcurrency()));
        assertThat(line.getField("prefill_instances")).isEqualTo(Objects.toString(row.prefillInstances(), ""));
        assertThat(line.getField("decode_instances")).isEqualTo(Objects.toString(row.decodeInstances(), ""));
    }

    private static @Nullable Double number(NamedCsvRecord record, String column) {
        String field = record.getField(column);
        return field.isEmpty() ? null : Double.valueOf(field);
    }

    private static List<NamedCsvRecord> records(Findings findings) {
        return CsvReader.builder().ofNamedCsvRecord(ReportFormat.CSV.render(findings)).stream()
                .toList();
    }
}

package io.throughputoptimizer.report;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CsvReportTest {
    private static final String HEADER = "rank,phase,device_name,num_devices,model_id,quantize_linear_action,"
            + "quantize_attention_action,input_length,num_input_tokens,output_length,effective_input_length,"
            + "max_batched_tokens,prefill_num_chunks,request_ratio,samples,concurrency,ttft,tpot,token/s,"
            + "token/s/device,parallel,batch_size,percentage_breakdowns,percentage_breakdowns(p),"
            + "percentage_breakdowns(d),qps,total_GB,weight_GB,kv_cache_GB,activation_GB,reserved_GB,avail_GB,"
            + "memory_adjusted,memory_exact,accounting";

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

    @ParameterizedTest(name = "{0}")
    @MethodSource("findings")
    void figuresReadBackAsTheyWere(String name, Findings findings) {
        List<NamedCsvRecord> records = records(findings).stream()
                .filter(record -> !record.getField("rank").isEmpty())
                .toList();

        List<ResultRow> rows = findings.devices().stream()
                .flatMap(device -> device.phases().stream())
                .map(PhaseResult::rows)
                .flatMap(List::stream)
                .toList();
        assertThat(records).as(name).hasSameSizeAs(rows);
        for (int i = 0; i < rows.size(); i++) {
            assertFigures(records.get(i), rows.get(i));
        }
    }

    private static void assertFigures(NamedCsvRecord line, ResultRow row) {
        assertThat(number(line, "ttft")).isEqualTo(row.figures().ttftMillis());
        assertThat(number(line, "tpot")).isEqualTo(row.figures().tpotMillis());
        assertThat(number(line, "token/s")).isEqualTo(row.figures().tokensPerSecond());
        assertThat(number(line, "token/s/device")).isEqualTo(row.figures().tokensPerSecondPerDevice());
        assertThat(number(line, "qps")).isEqualTo(row.figures().qps());
        assertThat(number(line, "avail_GB")).isEqualTo(row.memory().availableGib());
        assertThat(number(line, "weight_GB")).isEqualTo(row.memory().weightBytes() / MemoryFootprint.GIB);
        assertThat(line.getField("memory_adjusted"))
                .isEqualTo(Boolean.toString(row.memory().adjusted()));
        assertThat(line.getField("memory_exact"))
                .isEqualTo(Boolean.toString(row.memory().exact()));
        assertThat(line.getField("parallel")).isEqualTo(row.layout().label());
        assertThat(line.getField("rank")).isEqualTo(Objects.toString(row.rank()));
        assertThat(line.getField("batch_size")).isEqualTo(Long.toString(row.batchSize()));
        assertThat(line.getField("concurrency")).isEqualTo(Long.toString(row.concurrency()));
    }

    @Test
    void detailsFollowTheirAggregateRowAndHaveNoFiguresOfTheirOwn() {
        Findings findings = SampleFindings.mixedPrefill();

        List<NamedCsvRecord> records = records(findings);

        ResultRow first =
                findings.devices().getFirst().phases().getFirst().rows().getFirst();
        assertThat(records.getFirst().getField("num_input_tokens")).isEqualTo("all");
        assertThat(records.getFirst().getField("request_ratio")).isEqualTo("1.0");
        assertThat(records.getFirst().getField("samples")).isEqualTo(Long.toString(first.concurrency()));
        List<NamedCsvRecord> details =
                records.subList(1, 1 + first.composition().size());
        assertThat(details.stream()
                        .map(detail -> part(detail, first.composition().getFirst())))
                .isEqualTo(first.composition());
        assertThat(details).allSatisfy(detail -> {
            assertThat(detail.getField("parallel")).isEqualTo(first.layout().label());
            assertThat(List.of("rank", "ttft", "tpot", "token/s", "token/s/device", "percentage_breakdowns", "qps"))
                    .allSatisfy(column -> assertThat(detail.getField(column)).isEmpty());
        });
        assertThat(records.get(1 + details.size()).getField("rank")).isEqualTo("2");
    }

    private static CompositionRow part(NamedCsvRecord detail, CompositionRow sample) {
        int inputTokens = Integer.parseInt(detail.getField("num_input_tokens"));
        assertThat(sample.queryLength()).isEqualTo(sample.inputTokens());
        return new CompositionRow(
                inputTokens,
                inputTokens,
                Double.parseDouble(detail.getField("request_ratio")),
                Long.parseLong(detail.getField("samples")));
    }

    @Test
    void breakdownsStandInTheColumnsOfTheirMode() {
        NamedCsvRecord aggregation = records(SampleFindings.aggregation()).getFirst();
        assertThat(aggregation.getField("percentage_breakdowns")).isEmpty();
        assertThat(aggregation.getField("percentage_breakdowns(p)"))
                .isEqualTo("Mem 10.00 | Comm 20.00 | Cube 65.12 | Vec 4.88");
        assertThat(aggregation.getField("percentage_breakdowns(d)"))
                .isEqualTo("Mem 66.67 | Comm 33.33 | Cube 0.00 | Vec 0.00");

        NamedCsvRecord decode = records(SampleFindings.experts()).getFirst();
        assertThat(decode.getField("percentage_breakdowns")).isEqualTo("Mem 66.67 | Comm 33.33 | Cube 0.00 | Vec 0.00");
        assertThat(decode.getField("percentage_breakdowns(d)")).isEmpty();
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
        assertThat(records(SampleFindings.corrected()).getFirst().getField("accounting"))
                .isEqualTo("corrected");
        assertThat(records(SampleFindings.correctedPdRatio()).getFirst().getField("accounting"))
                .isEqualTo("corrected");
    }

    @Test
    void aNameWithCommasQuotesAndLineEndsReadsBack() {
        String name = "a \"quoted\", name\r\nin two lines";
        Findings plain = SampleFindings.aggregation();
        DeviceFindings device = plain.devices().getFirst();

        Findings named = new Findings(
                plain.question(), List.of(new DeviceFindings(name, device.deviceCount(), device.phases(), null)), null);

        assertThat(records(named).getFirst().getField("device_name")).isEqualTo(name);
    }

    @Test
    void ratiosHaveColumnsOfTheirOwnAndReadBackAsTheyWere() {
        Findings findings = SampleFindings.pdRatioComparison();

        List<NamedCsvRecord> records = records(findings);

        List<PdRatioRow> rows = findings.devices().stream()
                .flatMap(device -> Stream.ofNullable(device.pdRatio()))
                .flatMap(result -> result.rows().stream())
                .toList();
        assertThat(records.getFirst().getHeader())
                .startsWith("rank", "device_name", "num_devices", "model_id")
                .endsWith("concurrency_d", "prefill_instances", "decode_instances", "accounting")
                .hasSize(25);
        assertThat(records).hasSameSizeAs(rows).hasSize(4);
        for (int i = 0; i < rows.size(); i++) {
            assertFigures(records.get(i), rows.get(i));
        }
        assertThat(records.stream().map(record -> record.getField("device_name")))
                .containsExactly("TEST_DEVICE", "TEST_DEVICE", "ATLAS_350_425T_112G", "ATLAS_350_425T_112G");
        assertThat(records.getFirst().getField("num_devices")).isEqualTo("16");
    }

    private static void assertFigures(NamedCsvRecord line, PdRatioRow row) {
        assertThat(number(line, "pd_ratio")).isEqualTo(row.ratio());
        assertThat(number(line, "balanced_qps")).isEqualTo(row.balancedQps());
        assertThat(number(line, "p_qps")).isEqualTo(row.prefill().qps());
        assertThat(number(line, "d_qps")).isEqualTo(row.decode().qps());
        assertThat(number(line, "ttft_p")).isEqualTo(row.prefill().latencyMillis());
        assertThat(number(line, "tpot_d")).isEqualTo(row.decode().latencyMillis());
        assertThat(line.getField("parallel_p")).isEqualTo(row.prefill().layout().label());
        assertThat(line.getField("parallel_d")).isEqualTo(row.decode().layout().label());
        assertThat(line.getField("num_devices_p"))
                .isEqualTo(Integer.toString(row.prefill().deviceCount()));
        assertThat(line.getField("num_devices_d"))
                .isEqualTo(Integer.toString(row.decode().deviceCount()));
        assertThat(line.getField("batch_size_p"))
                .isEqualTo(Long.toString(row.prefill().batchSize()));
        assertThat(line.getField("batch_size_d"))
                .isEqualTo(Long.toString(row.decode().batchSize()));
        assertThat(line.getField("concurrency_p"))
                .isEqualTo(Long.toString(row.prefill().concurrency()));
        assertThat(line.getField("concurrency_d"))
                .isEqualTo(Long.toString(row.decode().concurrency()));
        InstanceCounts instances = row.instances();
        assertThat(line.getField("prefill_instances"))
                .isEqualTo(instances == null ? "" : Integer.toString(instances.prefill()));
        assertThat(line.getField("decode_instances"))
                .isEqualTo(instances == null ? "" : Integer.toString(instances.decode()));
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

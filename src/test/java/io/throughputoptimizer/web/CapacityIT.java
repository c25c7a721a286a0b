package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How few devices serve a demand, over HTTP.
class CapacityIT extends HttpTest {
    private static final String PAIRS = "result.devices[0].pd_ratio.rows";
    private static final String ROWS = "result.capacity.rows";
    private static final String SERVED = """
            "model_id": "Qwen/Qwen3-32B", "workload": {"input_length": 3500, "output_length": 1500},
            "slo": {"ttft_ms": 2000, "tpot_ms": 50}, "serving": {"compile": true}, "accounting": "documented\"""";
    private static final String CAPACITY = "{\"mode\": \"capacity\", " + SERVED + ", \"num_devices\": 64, %s}";
    private static final String SLOW = "\"kv_transfer\": {\"gb_per_s\": 0.5, \"latency_ms\": 5}";
    private static final String DEMAND = "\"demand\": {\"requests_per_s\": 2.5}, \"headroom\": 0.2";

    private static final String MEASURED = """
            {"cost_model": "calibrated", "mode": "%s", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
             "num_devices": %d, "workload": {"input_length": 3500, "output_length": 1500},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "slo": {"ttft_ms": 1000, "tpot_ms": 30}%s}""";

    private ValidatableResponse ask(String members) {
        return optimize(CAPACITY.formatted(members));
    }

    /// The devices are those that a planner would count from separate answers about one instance.
    @Test
    void instancesAreCountedFromTheSearchOfOne() {
        double tokens = optimize("{" + SERVED + ", \"num_devices\": 8}")
                .extract()
                .<Double>path("result.devices[0].phases[0].best.tokens_per_s");
        long count = (long) Math.ceil(2.5 * 1.2 * 1500 / tokens);

        JsonPath answer = ask(DEMAND + ", \"instance_sizes\": [8]").extract().jsonPath();
        Map<String, Object> row = answer.getMap(ROWS + ".find { it.deployment == 'aggregated' }");
        assertThat(row).containsEntry("num_devices", (int) (8 * count));
        double utilization = answer.getDouble(ROWS + ".find { it.deployment == 'aggregated' }.utilization");
        assertThat(utilization).isEqualTo(2.5 * 1500 / (count * tokens), withinLastDigits());
    }

    private static org.assertj.core.data.Offset<Double> withinLastDigits() {
        return org.assertj.core.data.Offset.offset(1e-12);
    }

    /// Demands last: unless the request says otherwise, instances are those of the accounting for such a load.
    @Test
    void instancesServeALoadThatLastsUnlessAskedOtherwise() {
        String lasting = SERVED.replace("documented", "steady");
        JsonPath one =
                optimize("{" + lasting + ", \"num_devices\": 8}").extract().jsonPath();
        double tokens = one.getDouble("result.devices[0].phases[0].best.tokens_per_s");
        double sustained = one.getDouble("result.devices[0].phases[0].best.sustained_qps");
        assertThat(tokens / 1500).isLessThan(sustained);

        JsonPath answer = optimize(CAPACITY.replace(", \"accounting\": \"documented\"", "")
                        .formatted(DEMAND + ", \"instance_sizes\": [8]"))
                .extract()
                .jsonPath();
        assertThat(answer.getString("request.accounting")).isEqualTo("steady");
        assertThat(answer.getString("result.accounting")).isEqualTo("steady");
        assertThat(answer.getInt(ROWS + ".find { it.deployment == 'aggregated' }.num_devices"))
                .isEqualTo((int) (8 * Math.ceil(2.5 * 1.2 * 1500 / tokens)));
    }

    /// Prefill and decode instances are those of a P/D ratio of the same sizes.
    @Test
    void pairsAreCountedFromTheirRates() {
        JsonPath ratio =
                optimize("{\"mode\": \"pd_ratio\", " + SERVED + """
                        , "num_devices": 64,
                        "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 8}}""").extract().jsonPath();
        double prefill = max(ratio.getList("result.devices[0].pd_ratio.rows.p_qps", Double.class));
        double decode = max(ratio.getList("result.devices[0].pd_ratio.rows.d_qps", Double.class));

        JsonPath answer = ask("\"demand\": {\"requests_per_s\": 20}, \"instance_sizes\": [4, 8]")
                .extract()
                .jsonPath();
        Map<String, Object> row = answer.getMap(
                ROWS + ".find { it.instances[0].phase == 'prefill' && it.instances[0].devices_per_instance == 4"
                        + " && it.instances[1].devices_per_instance == 8 }");
        assertThat(row).containsEntry("num_devices", (int) (4 * Math.ceil(20 / prefill) + 8 * Math.ceil(20 / decode)));
    }

    /// The transfer takes its part of the TTFT and its limit, as in a P/D ratio of the same sizes over the same link.
    @Test
    void thePrefillSidePaysForTheTransfer() {
        JsonPath ratio =
                optimize("{\"mode\": \"pd_ratio\", " + SERVED + """
                        , "num_devices": 64,
                        "pd_ratio": {"prefill_devices_per_instance": 8, "decode_devices_per_instance": 4,
                                     "kv_transfer": {"gb_per_s": 0.5, "latency_ms": 5}}}""").extract().jsonPath();
        JsonPath answer = ask("\"demand\": {\"requests_per_s\": 5}, \"instance_sizes\": [4, 8], " + SLOW)
                .extract()
                .jsonPath();
        // 256 KiB a token.
        double gigabytes = 3500.0 * 256 / (1024 * 1024);
        double prefill = max(ratio.getList(PAIRS + ".p_qps", Double.class));
        double decode = max(ratio.getList(PAIRS + ".d_qps", Double.class));
        String row = ROWS + ".find { it.instances.size() == 2 && it.instances[1].devices_per_instance == 4 }.";

        assertThat(answer.getInt(row + "num_devices"))
                .isEqualTo((int) (8 * Math.ceil(5 / prefill) + 4 * Math.ceil(5 / decode)));
        assertThat(answer.getDouble(row + "kv_transfer_gb"))
                .isEqualTo(gigabytes)
                .isEqualTo(ratio.getDouble(PAIRS + "[0].kv_transfer_gb"));
        assertThat(answer.getDouble(row + "kv_transfer_ms"))
                .isEqualTo(5 + 1000 * gigabytes / 0.5)
                .isEqualTo(ratio.getDouble(PAIRS + "[0].kv_transfer_ms"));
        assertThat(answer.getDouble(row + "ttft_ms"))
                .isEqualTo(answer.getDouble(row + "instances[0].load.ttft_ms") + 5 + 1000 * gigabytes / 0.5)
                .isLessThanOrEqualTo(2000);
        assertThat(answer.getList(ROWS + ".findAll { it.deployment == 'aggregated' }.kv_transfer_ms"))
                .isNotEmpty()
                .containsOnlyNulls();
        assertThat(answer.getString("result.capacity.instances.find { it.phase == 'prefill' }.rejected"))
                .contains("beside the KV transfer of 1713.984 ms");
    }

    @Test
    void aTransferBeyondTheLimitIsAdvised() {
        optimize(CAPACITY.replace("\"ttft_ms\": 2000", "\"ttft_ms\": 250")
                        .formatted(DEMAND + ", \"instance_sizes\": [4], " + SLOW))
                .body(
                        "result.capacity.shortfalls[0].advice",
                        hasItem(containsString("KV transfer 1713.984 ms alone exceeds 250.0 ms; a higher slo.ttft_ms"
                                + " or a faster kv_transfer may do")));
    }

    @Test
    void textAndCsvSayWhatMoves() {
        String id =
                ask(DEMAND + ", \"instance_sizes\": [4, 8], " + SLOW).extract().path("id");

        assertThat(report(id, "text/plain"))
                .contains(
                        "KV Transfer: 0.5 GB/s, 5.0 ms",
                        "TTFT: 1875.87 ms, 1713.98 ms of it for 0.854 GB of KV cache",
                        "KV transfer (ms)");
        List<String> lines = report(id, "text/csv").lines().toList();
        assertThat(lines.getFirst()).endsWith(",accounting,kv_transfer_ms,kv_transfer_gb");
        assertThat(lines)
                .filteredOn(line -> line.contains(",disaggregated,"))
                .allMatch(line -> line.endsWith(",1713.984375,0.8544921875"));
        assertThat(lines).filteredOn(line -> line.contains(",aggregated,")).allMatch(line -> line.endsWith(",,"));
        String without = ask(DEMAND + ", \"instance_sizes\": [4, 8]").extract().path("id");
        assertThat(report(without, "text/csv").lines().findFirst().orElseThrow())
                .endsWith(",accounting");
        assertThat(report(without, "text/plain")).doesNotContainIgnoringCase("KV transfer");
    }

    @Test
    void limitsOnAPercentileTakeMoreInstancesThanLimitsOnMeans() {
        String means = """
                {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-32B", "devices": ["H200_SXM"],
                 "num_devices": 64, "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 2000, "output_length": 500}, "slo": {"ttft_ms": 1000, "tpot_ms": 40},
                 "demand": {"requests_per_s": 50}, "headroom": 0.2}""";
        optimize(means)
                .body("result.capacity.best.num_devices", equalTo(18))
                .body("result.capacity.best.percentiles.percentile", equalTo(95.0));
        optimize(means.replace("\"tpot_ms\": 40", "\"tpot_ms\": 40, \"percentile\": 99"))
                .body("result.capacity.best.num_devices", equalTo(21))
                .body("result.capacity.best.percentiles.percentile", equalTo(99.0))
                .body("result.capacity.best.percentiles.ttft_ms", lessThanOrEqualTo(1000.0))
                .body("result.capacity.best.percentiles.tpot_ms", lessThanOrEqualTo(40.0))
                .body("result.capacity.left_out[0].reason", containsString("slo.percentile"));
    }

    /// One wave is all burst, which a settled TTFT leaves out: no request is left for a percentile.
    @Test
    void oneWaveOfSettledRequestsHasNoPercentiles() {
        optimize("""
                        {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-32B",
                         "devices": ["H200_SXM"], "num_devices": 64, "engine": {"backend": "vllm"},
                         "quantization": {"scheme": "FP8"}, "traffic": {"waves": 1},
                         "workload": {"input_length": 2000, "output_length": 500},
                         "slo": {"ttft_ms": 1000, "tpot_ms": 40, "ttft_basis": "settled"},
                         "demand": {"concurrency": 50}}""")
                .body("result.capacity.best.num_devices", greaterThan(0))
                .body("result.capacity.best.percentiles", nullValue());
    }

    /// Instances are counted by their most, however few requests their share is.
    @Test
    void countsAtTheMostSequencesOfTheEngineSaySo() {
        String bound =
                "vllm runs at most 1024 requests per rank by default; set batch_range to search larger batch sizes";
        String question = """
                {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"],
                 "num_devices": 16, "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 100, "output_length": 100}, "slo": {"ttft_ms": 60000, "tpot_ms": 500},
                 "instance_sizes": [1], "demand": {"requests_per_s": 400}}""";
        JsonPath answer = optimize(question).extract().jsonPath();
        List<Map<String, Object>> groups = answer.getList("result.capacity.rows.collectMany { it.instances }");

        assertThat(groups).extracting(group -> group.get("phase")).contains("aggregation", "decode");
        assertThat(groups).allSatisfy(group -> {
            boolean decodes = !"prefill".equals(group.get("phase"));
            assertThat(((Map<?, ?>) requireNonNull(group.get("load"))).get("warnings"))
                    .isEqualTo(decodes ? List.of(bound) : null);
        });
        String id = answer.getString("id");
        assertThat(report(id, "text/plain")).contains("Warning: Top 1").contains(bound);
        assertThat(records(report(id, "text/csv")).getFirst().getField("warnings"))
                .isEqualTo(bound);
        assertThat(report(
                        optimize(question.replace("\"demand\"", "\"search\": {\"batch_range\": [1, 1024]}, \"demand\""))
                                .extract()
                                .path("id"),
                        "text/plain"))
                .doesNotContain("the service itself");
    }

    private static double max(List<Double> rates) {
        return rates.stream().mapToDouble(rate -> rate).max().orElseThrow();
    }

    /// An instance at its load keeps the limits and serves its share, which the batch size below does not.
    @Test
    void figuresAreThoseOfTheLoad() {
        JsonPath answer = ask(DEMAND + ", \"instance_sizes\": [8]").extract().jsonPath();
        String row = ROWS + ".find { it.deployment == 'aggregated' }.";
        int batch = answer.getInt(row + "instances[0].load.batch_size");
        double share = 2.5 / answer.getInt(row + "instances[0].count");

        assertThat(batch).isLessThan(answer.getInt(row + "instances[0].peak.batch_size"));
        assertThat(rate(batch)).isGreaterThanOrEqualTo(share);
        assertThat(rate(batch - 1)).isLessThan(share);
        assertThat(answer.getDouble(row + "tpot_ms")).isEqualTo(answer.getDouble(row + "instances[0].load.tpot_ms"));
    }

    private double rate(int batch) {
        return optimize("{" + SERVED + ", \"num_devices\": 8, \"search\": {\"tp_sizes\": [8], \"batch_range\": ["
                                + batch + ", " + batch + "]}}")
                        .extract()
                        .<Double>path("result.devices[0].phases[0].best.tokens_per_s")
                / 1500;
    }

    @Test
    void fewRequestsAreServedAtTheirOwnLoad() {
        ask("\"demand\": {\"concurrency\": 1}, \"instance_sizes\": [8]")
                .body(ROWS + "[0].num_devices", equalTo(8))
                .body(ROWS + "[0].instances[0].load.concurrency", equalTo(1))
                .body(ROWS + "[0].instances[0].peak.concurrency", greaterThan(1));
    }

    @Test
    void demandsCountTokensAndRequestsAtOnce() {
        int byRequests = ask(DEMAND).extract().path(ROWS + "[0].num_devices");
        ask("\"demand\": {\"tokens_per_s\": 3750}, \"headroom\": 0.2")
                .body(ROWS + "[0].num_devices", equalTo(byRequests));
        ask("\"demand\": {\"concurrency\": 100}, \"instance_sizes\": [8]")
                .body(ROWS + ".find { it.deployment == 'aggregated' }.instances[0].count", equalTo(5))
                .body(ROWS + ".find { it.deployment == 'aggregated' }.instances[0].load.concurrency", equalTo(20));
    }

    @Test
    @EveryNight
    void kindsOfDeviceAreRankedByCost() {
        ask(DEMAND + """
                , "devices": ["H100_SXM", "B200_SXM"],
                "objective": {"name": "cost_per_million_tokens", "currency": "EUR",
                              "price_per_device_hour": {"H100_SXM": 2, "B200_SXM": 600}}""")
                .body(ROWS + "[0].device", equalTo("H100_SXM"))
                .body(ROWS + ".device", hasItems("H100_SXM", "B200_SXM"))
                .body(ROWS + "[0].objective.unit", equalTo("EUR per million tokens"));
        ask(DEMAND + ", \"devices\": [\"H100_SXM\", \"B200_SXM\"]").body(ROWS + "[0].device", equalTo("B200_SXM"));
    }

    @Test
    void devicesThatDoNotSufficeAreAnswered() {
        String small = CAPACITY.replace("64", "8").formatted(DEMAND);
        optimize(small)
                .body(ROWS, empty())
                .body("result.capacity.best", nullValue())
                .body("result.capacity.shortfalls[0].reaches", hasSize(2))
                .body("result.capacity.shortfalls[0].reaches.num_devices", everyItem(lessThanOrEqualTo(8)))
                .body("result.capacity.shortfalls[0].needed.num_devices", everyItem(greaterThan(8)));
        assertThat(report(optimize(small).extract().path("id"), "text/plain"))
                .contains("The devices available do not serve the demand", "8 TEST_DEVICE serve at most");
    }

    @Test
    void devicesThatDoNotHoldOneRequestWithTheHeadroomReachNoDemand() {
        String narrow = "\"search\": {\"batch_range\": [2]}, \"num_devices\": 4";
        optimize(CAPACITY.formatted("\"demand\": {\"concurrency\": 50000}, \"headroom\": 100")
                        .replace("\"num_devices\": 64", narrow))
                .body("status", equalTo("succeeded"))
                .body("result.capacity.shortfalls[0].reaches", empty());
    }

    @Test
    void limitsThatNothingKeepsAreNamed() {
        optimize(CAPACITY.replace("\"tpot_ms\": 50", "\"tpot_ms\": 1").formatted(DEMAND))
                .body("result.capacity.shortfalls[0].needed", empty())
                .body("result.capacity.shortfalls[0].advice", hasItem(containsString("a higher slo.tpot_ms may do")));
    }

    @Test
    void sizesWithoutAnInstanceAreNamed() {
        ask(DEMAND + ", \"instance_sizes\": [1, 8, 3], \"search\": {\"tp_sizes\": [4, 8]}")
                .body(
                        "result.capacity.instances.findAll { it.devices_per_instance == 1 }.rejected",
                        everyItem(containsString("at most the device count, 1")))
                .body(
                        "result.capacity.instances.findAll { it.devices_per_instance == 8 }.rejected",
                        everyItem(nullValue()));
    }

    @Test
    void distributionsAreServedInBothKindsOfDeployment() {
        String mixed = CAPACITY.replace("documented", "steady").replace("\"input_length\": 3500", """
                "length_distribution": {"bins": [{"min_tokens": 0, "max_tokens": 1000, "weight": 0.7},
                                                 {"min_tokens": 1000, "max_tokens": 4000, "weight": 0.3}]}""");
        optimize(mixed.formatted(DEMAND + """
                        , "instance_sizes": [8],
                        "search": {"tp_sizes": [4, 8], "batch_range": [1, 32]}"""))
                .body("result.capacity.left_out", nullValue())
                .body(ROWS + ".deployment", hasItems("aggregated", "disaggregated"))
                .body(ROWS + "[0].instances[0].load.composition.size()", greaterThan(0));
    }

    @Test
    void reportsHaveALineForEachKindOfInstance() {
        String id = ask(DEMAND + ", \"instance_sizes\": [4, 8]").extract().path("id");
        List<String> lines = report(id, "text/csv").lines().toList();

        assertThat(lines.getFirst())
                .startsWith("rank,device_name,num_devices,num_devices_unfavourable,model_id,deployment,");
        assertThat(lines).filteredOn(line -> line.startsWith("1,")).hasSize(2);
        assertThat(report(id, "text/plain")).contains("Demand: 2.5 req/s, headroom 20%", "D Instances: 1 of 8 devices");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "headroom": 0.2                                                        | /demand
                    "demand": {}                                                           | /demand
                    "demand": {"requests_per_s": 1, "concurrency": 2}                      | /demand
                    "demand": {"requests_per_s": 0}                                        | /demand/requests_per_s
                    "demand": {"tokens_per_s": -1}                                         | /demand/tokens_per_s
                    "demand": {"concurrency": 0}                                           | /demand/concurrency
                    "demand": {"concurrency": 1}, "headroom": -0.1                         | /headroom
                    "demand": {"concurrency": 1}, "instance_sizes": []                     | /instance_sizes
                    "demand": {"concurrency": 1}, "instance_sizes": [8, 128]               | /instance_sizes/1
                    "demand": {"concurrency": 1}, "instance_sizes": [0]                    | /instance_sizes/0
                    "demand": {"concurrency": 1}, "explain": true                          | /explain
                    "demand": {"concurrency": 1}, "dump_original_results": true            | /dump_original_results
                    "demand": {"concurrency": 1}, "search": {"tp_sizes": [5]}              | /search
                    "demand": {"concurrency": 1}, "objective": {"name": "tokens_per_s_per_user", "min_concurrency": 9} | /objective/min_concurrency
                    "demand": {"concurrency": 1}, "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 1} | /pd_ratio
                    "demand": {"concurrency": 1}, "kv_transfer": {}                        | /kv_transfer/gb_per_s
                    "demand": {"concurrency": 1}, "kv_transfer": {"gb_per_s": 0}           | /kv_transfer/gb_per_s
                    "demand": {"concurrency": 1}, "kv_transfer": {"gb_per_s": 1, "latency_ms": -1} | /kv_transfer/latency_ms
                    "demand": {"concurrency": 1}, "kv_transfer": {"gb_per_s": 1, "gbps": 1} | /kv_transfer/gbps
                    """, quoteCharacter = '\'')
    void badInputNamesItsMember(String members, String pointer) {
        json(CAPACITY.formatted(members))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer));
    }

    @Test
    void curvesShowDevicesOverDemand() {
        String id = ask(DEMAND + ", \"instance_sizes\": [4, 8]").extract().path("id");
        api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + id + "/curves")
                .then()
                .statusCode(200)
                .body("title", contains("Fewest devices vs demand"))
                .body("[0].x", equalTo("Demand (req/s)"))
                .body("[0].series.label", contains("TEST_DEVICE, aggregated", "TEST_DEVICE, disaggregated"))
                .body("[0].series[0].points[0].batch_size", nullValue());
        assertThat(api().accept("text/plain")
                        .get(OPTIMIZATIONS + "/" + id + "/curves")
                        .asString())
                .contains("best: devices 12 at Demand 2.5 req/s");
    }

    /// The devices are those that a planner would count from the answer about one instance, and its band.
    @Test
    void measuredInstancesAreCountedWithTheirBands() {
        double rate = optimize(MEASURED.formatted("aggregation", 2, ""))
                .extract()
                .<Double>path("result.devices[0].phases[0].best.qps");
        JsonPath answer = optimize(MEASURED.formatted(
                        "capacity",
                        64,
                        ", \"demand\": {\"requests_per_s\": 20}, \"headroom\": 0.2, \"instance_sizes\": [2, 4]"))
                .extract()
                .jsonPath();
        String row = ROWS + ".find { it.instances[0].devices_per_instance == 2 }.";

        assertThat(answer.getInt(row + "num_devices")).isEqualTo((int) (2 * Math.ceil(24 / rate)));
        assertThat(answer.getInt(row + "num_devices_unfavourable")).isGreaterThan(answer.getInt(row + "num_devices"));
        assertThat(answer.getDouble(row + "ttft_ms")).isLessThan(1000);
        assertThat(answer.getDouble(row + "instances[0].load.qps") * answer.getInt(row + "instances[0].count"))
                .isGreaterThanOrEqualTo(20);
    }

    /// Prefill and decode instances together are those of mode pd_ratio in the same numbers; no smaller numbers on the
    /// same layouts do.
    @EveryNight
    @Test
    void measuredPairsAreThoseOfTheirNumbers() {
        JsonPath answer = optimize(MEASURED.formatted(
                        "capacity",
                        64,
                        ", \"demand\": {\"requests_per_s\": 20}, \"headroom\": 0.2, \"instance_sizes\": [2, 4],"
                                + " \"band_coverage\": 0.5"))
                .body("result.capacity.left_out", nullValue())
                .body("result.capacity.curve.deployment", hasItems("aggregated", "disaggregated"))
                .extract()
                .jsonPath();
        String row = ROWS + ".find { it.deployment == 'disaggregated' && it.instances[0].devices_per_instance == 2"
                + " && it.instances[1].devices_per_instance == 4 }.";
        int devices = answer.getInt(row + "num_devices");
        double most = answer.getDouble(row + "most_requests_per_s");
        int prefill = answer.getInt(row + "instances[0].count");

        assertThat(devices).isEqualTo(2 * prefill + 4 * answer.getInt(row + "instances[1].count"));
        assertThat(most).isGreaterThanOrEqualTo(24);
        assertThat(answer.getInt(row + "num_devices_unfavourable")).isGreaterThan(devices);
        assertThat(answer.getDouble(row + "instances[1].load.qps") * answer.getInt(row + "instances[1].count"))
                .isGreaterThanOrEqualTo(20);
        assertThat(answer.getDouble(row + "ttft_ms")).isLessThanOrEqualTo(1000);
        assertThat(pairs(devices).getDouble(PAIRS + ".find { it.prefill_instances == " + prefill + " }.qps"))
                .isEqualTo(most);
        assertThat(pairs(devices - 2).getList(PAIRS + ".qps", Double.class)).allMatch(rate -> rate < 24);

        api().get(OPTIMIZATIONS + "/" + answer.getString("id") + "/launch?engine=vllm&rank="
                        + answer.getInt(row + "rank"))
                .then()
                .statusCode(200)
                .body("servers.role", contains("prefill", "decode"));
        assertThat(api().accept("text/csv")
                        .get(OPTIMIZATIONS + "/" + answer.getString("id") + "/result")
                        .asString())
                .contains(",disaggregated,", ",prefill," + prefill + ",2,");
    }

    /// The transfer lengthens the cycle of measured pairs: they are those of mode pd_ratio over the same link.
    @Test
    void measuredPairsPayForTheTransfer() {
        JsonPath answer = optimize(MEASURED.formatted(
                        "capacity",
                        64,
                        ", \"demand\": {\"requests_per_s\": 20}, \"headroom\": 0.2, \"instance_sizes\": [2, 4],"
                                + " \"kv_transfer\": {\"gb_per_s\": 1, \"latency_ms\": 5}"))
                .extract()
                .jsonPath();
        String row = ROWS + ".find { it.deployment == 'disaggregated' && it.instances[0].devices_per_instance == 2"
                + " && it.instances[1].devices_per_instance == 4 }.";
        int devices = answer.getInt(row + "num_devices");
        int prefill = answer.getInt(row + "instances[0].count");
        int decode = answer.getInt(row + "instances[1].count");
        // 128 KiB a token.
        double millis = 5 + 1000 * 3500.0 * 128 / (1024 * 1024);

        assertThat(answer.getDouble(row + "kv_transfer_ms")).isEqualTo(millis);
        assertThat(answer.getDouble(row + "ttft_ms")).isBetween(millis, 1000.0);
        assertThat(answer.getList(ROWS + ".findAll { it.deployment == 'aggregated' }.kv_transfer_ms"))
                .isNotEmpty()
                .containsOnlyNulls();
        JsonPath ratio =
                optimize(MEASURED.formatted("pd_ratio", devices, """
                        , "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 4,
                                       "kv_transfer": {"gb_per_s": 1, "latency_ms": 5}}""")).extract().jsonPath();
        assertThat(ratio.getDouble(PAIRS + "[0].kv_transfer_ms")).isEqualTo(millis);
        assertThat(devices).isEqualTo(2 * prefill + 4 * decode);
    }

    private JsonPath pairs(int devices) {
        return optimize(MEASURED.formatted(
                        "pd_ratio",
                        devices,
                        ", \"pd_ratio\": {\"prefill_devices_per_instance\": 2, \"decode_devices_per_instance\": 4}"))
                .extract()
                .jsonPath();
    }

    @Test
    void measuredDevicesThatDoNotSufficeAreAnswered() {
        optimize(MEASURED.formatted("capacity", 4, ", \"demand\": {\"requests_per_s\": 20}"))
                .body("result.capacity.shortfalls[0].reaches.num_devices", contains(4, 4))
                .body("result.capacity.shortfalls[0].needed.deployment", hasItems("aggregated", "disaggregated"))
                .body("result.capacity.shortfalls[0].needed[0].num_devices", greaterThan(4));
        json(MEASURED.formatted("capacity", 4, ", \"demand\": {\"concurrency\": 2}, \"percentiles\": true"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem("/percentiles"));
    }

    @Test
    void deploymentsAreStarted() {
        String id = ask(DEMAND + ", \"instance_sizes\": [4, 8]").extract().path("id");
        api().get(OPTIMIZATIONS + "/" + id + "/launch?engine=vllm&rank=1")
                .then()
                .statusCode(200)
                .body("servers", hasSize(2))
                .body("servers.role", contains("prefill", "decode"));
        api().get(OPTIMIZATIONS + "/" + id + "/launch?engine=vllm&rank=5")
                .then()
                .statusCode(200)
                .body("servers", hasSize(1))
                .body("servers[0].instances", equalTo(3));
        api().get(OPTIMIZATIONS + "/" + id + "/launch?engine=vllm&rank=99")
                .then()
                .statusCode(400);
    }

    @Test
    void otherModesTakeNoDemand() {
        json("{" + SERVED + ", " + DEMAND + ", \"instance_sizes\": [1]}")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItems("/demand", "/headroom", "/instance_sizes"));
        json("{" + SERVED + ", " + SLOW + "}")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/kv_transfer"));
        json("{\"mode\": \"pd_ratio\", " + SERVED + ", " + SLOW + """
                        , "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 1}}""")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.message", hasItem(containsString("as pd_ratio.kv_transfer")));
    }

    @Test
    void aTransferOfImagesNeedsTheirNumber() {
        json("""
                {"model_id": "Qwen/Qwen3-VL-8B-Instruct", "mode": "capacity", "accounting": "documented", "num_devices": 8,
                 "workload": {"input_length": 500, "output_length": 100, "image": {"height": 512, "width": 512}},
                 "demand": {"concurrency": 1}, %s}""".formatted(SLOW))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/kv_transfer"))
                .body("errors.message", hasItem(containsString("workload.image.batch_size")));
    }
}

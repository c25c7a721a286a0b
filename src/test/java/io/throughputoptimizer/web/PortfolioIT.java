package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.RequestEditor;
import io.throughputoptimizer.web.description.Examples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// One stock for many services, over HTTP.
class PortfolioIT extends HttpTest {
    private static final String PORTFOLIOS = "/api/v1/portfolios";
    private static final JsonMapper JSON = JsonMapper.shared();

    /// A chat by day and summaries at night, by measured kernels.
    @SuppressWarnings("InlineFormatString") // It is long.
    private static final String MEASURED = """
            {
              "stock": [{"device": "H100_SXM", "count": %d, "price_per_hour": 2.5}],
              "services": [
                {"name": "chat", "weight": 3,
                 "demand_by_hour": {"requests_per_s": [%s]},
                 "request": {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "headroom": 0.2, "instance_sizes": [1, 2],
                   "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm"},
                   "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}},
                {"name": "summaries",
                 "demand_by_hour": {"tokens_per_s": [%s]},
                 "request": {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "instance_sizes": [1],
                   "workload": {"input_length": 4000, "output_length": 400}, "engine": {"backend": "vllm"},
                   "quantization": {"scheme": "FP8"}, "slo": {"tpot_ms": 50}}}
              ]%s
            }""";

    private static String hours(String night, String day) {
        return IntStream.range(0, 24)
                .mapToObj(hour -> hour >= 8 && hour < 20 ? day : night)
                .collect(Collectors.joining(", "));
    }

    private static String measured(int devices, String members) {
        return MEASURED.formatted(devices, hours("1", "6"), hours("5000", "800"), members);
    }

    private ValidatableResponse plan(String portfolio) {
        return json(portfolio).post(PORTFOLIOS).then();
    }

    private ValidatableResponse planned(String portfolio) {
        return plan(portfolio).statusCode(200);
    }

    @Test
    @EveryNight
    void theExampleIsServed() {
        JsonPath plan = planned(Examples.text("portfolio.json")).extract().jsonPath();
        assertThat(plan.getString("outcome")).isEqualTo("served");
        assertThat(plan.getDouble("gap")).isLessThan(1e-6);
        assertThat(plan.<Double>getList("services.served_share")).containsOnly(1.0);
        assertThat(plan.getList("hours")).hasSize(24);
        assertThat(plan.getDouble("running_cost_per_day")).isLessThan(plan.getDouble("cost_per_day"));
        recheck(Examples.text("portfolio.json"), plan);
    }

    @EveryNight
    @ParameterizedTest
    @CsvSource({"fixed, 64", "hourly, 64", "fixed, 7", "hourly, 7"})
    void everyShareOfADemandIsServedByAsMuchAsACapacitySearchFinds(String assignment, int devices) {
        String portfolio = measured(devices, ", \"assignment\": \"" + assignment + "\"");
        JsonPath plan = planned(portfolio).extract().jsonPath();
        assertThat(plan.getString("outcome")).isEqualTo(devices == 64 ? "served" : "short");
        recheck(portfolio, plan);
    }

    /// Asks mode `capacity` about what runs of each unit in each hour, at its share of what is served.
    private void recheck(String portfolio, JsonPath plan) {
        JsonNode asked = JSON.readTree(portfolio);
        Set<String> known = new HashSet<>();
        for (int hour = 0; hour < 24; hour++) {
            for (int place = 0; place < asked.required("services").size(); place++) {
                recheck(asked, plan, hour, place, known);
            }
        }
        assertThat(known).isNotEmpty();
    }

    private void recheck(JsonNode asked, JsonPath plan, int hour, int place, Set<String> known) {
        JsonNode service = asked.required("services").get(place);
        String of = "hours[" + hour + "].services[" + place + "]";
        List<Integer> running = plan.getList(of + ".running");
        double refused = service.path("may_refuse").asDouble(0);
        double served = plan.getDouble(of + ".demand") * (1 - refused) * plan.getDouble(of + ".served_share");
        double all = 0;
        for (int unit = 0; unit < running.size(); unit++) {
            all += running.get(unit) * ability(plan, place, unit);
        }
        for (int unit = 0; unit < running.size(); unit++) {
            double share = served * running.get(unit) * ability(plan, place, unit) / all;
            if (share > 0) {
                recheck(service, plan, "services[" + place + "].units[" + unit + "]", running.get(unit), share, known);
            }
        }
    }

    private static double ability(JsonPath plan, int place, int unit) {
        return plan.getDouble("services[" + place + "].units[" + unit + "].requests_per_s");
    }

    private void recheck(JsonNode service, JsonPath plan, String unit, int count, double share, Set<String> known) {
        List<Map<String, Object>> instances = plan.getList(unit + ".instances");
        int devices = count * plan.getInt(unit + ".num_devices") / plan.getInt(unit + ".count");
        ObjectNode request = (ObjectNode) service.required("request").deepCopy();
        String member = service.has("demand_by_hour")
                ? service.required("demand_by_hour").propertyNames().iterator().next()
                : "requests_per_s";
        request.put("mode", "capacity")
                .put("num_devices", devices)
                .set("devices", JSON.createArrayNode().add(plan.getString(unit + ".device")));
        // Shares are quotients: the last digits are left to them.
        request.set("demand", JSON.createObjectNode().put(member, share * (1 - 1e-9)));
        request.set(
                "instance_sizes",
                JSON.valueToTree(instances.stream()
                        .map(one -> one.get("devices_per_instance"))
                        .distinct()
                        .toList()));
        if (known.add(request.toString())) {
            JsonPath answer = optimize(request.toString()).extract().jsonPath();
            String deployment = plan.getString(unit + ".deployment");
            List<Map<String, Object>> rows = new ArrayList<>(
                    answer.getList("result.capacity.rows.findAll { it.deployment == '" + deployment + "' }"));
            assertThat(rows)
                    .as("%s", request)
                    .anyMatch(row -> row.get("num_devices") instanceof Integer taken && taken <= devices);
        }
    }

    /// In none of the hours are more devices of a kind at work than there are, and nothing is lost of the others.
    @Test
    void devicesAreOnOffOrFree() {
        JsonPath plan = planned(measured(16, "")).extract().jsonPath();
        int used = plan.getInt("stock[0].used");
        assertThat(used + plan.getInt("stock[0].free")).isEqualTo(16);
        assertThat(plan.<Integer>getList("services.units.flatten().num_devices").stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(used);
        for (int hour = 0; hour < 24; hour++) {
            assertThat(plan.getInt("hours[" + hour + "].devices[0].running")
                            + plan.getInt("hours[" + hour + "].devices[0].off"))
                    .isEqualTo(used);
        }
        assertThat(plan.getDouble("cost_per_day")).isEqualTo(used * 24 * 2.5);
    }

    /// What is busy by day is free at night.
    @Test
    void devicesThatChangeServicesByTheHourAreFewer() {
        JsonPath fixed = planned(measured(64, "")).extract().jsonPath();
        JsonPath hourly =
                planned(measured(64, ", \"assignment\": \"hourly\"")).extract().jsonPath();
        assertThat(hourly.getInt("stock[0].used")).isLessThan(fixed.getInt("stock[0].used"));
        assertThat(hourly.getDouble("cost_per_day")).isLessThan(fixed.getDouble("cost_per_day"));
    }

    @Test
    void theUnfavourableEndsTakeMoreDevices() {
        JsonPath figures = planned(measured(64, "")).extract().jsonPath();
        JsonPath ends =
                planned(measured(64, ", \"unfavourable\": true")).extract().jsonPath();
        assertThat(ends.getInt("stock[0].used")).isGreaterThan(figures.getInt("stock[0].used"));
    }

    /// So many more serve all, one less does not; and what a device is worth is what the plan with it serves more.
    @Test
    void aStockThatDoesNotSufficeSaysWhatIsMissing() {
        JsonPath plan = planned(measured(6, "")).extract().jsonPath();
        assertThat(plan.getString("outcome")).isEqualTo("short");
        int missing = plan.getInt("stock[0].missing_alone.devices");
        assertThat(plan.getInt("enough[0].devices")).isEqualTo(missing);
        planned(measured(6 + missing, "")).body("outcome", equalTo("served"));
        planned(measured(5 + missing, "")).body("outcome", equalTo("short"));
        double more = planned(measured(7, "")).extract().jsonPath().getDouble("weighted_served");
        assertThat(plan.getDouble("weighted_served") + plan.getDouble("stock[0].one_more.gained"))
                .isCloseTo(more, org.assertj.core.data.Offset.offset(1e-6));
    }

    @Test
    void noDevicesAtAllSayHowManyAreMissing() {
        JsonPath plan = planned(measured(0, "")).extract().jsonPath();
        assertThat(plan.getString("outcome")).isEqualTo("short");
        assertThat(plan.getDouble("weighted_served")).isZero();
        assertThat(plan.getInt("enough[0].devices")).isPositive();
    }

    @Test
    void replicasThatDoNotFitAreSaid() {
        String portfolio = RequestEditor.with(measured(4, ""), "/services/0/min_replicas", "5");
        planned(portfolio).body("outcome", equalTo("replicas_missing")).body("enough[0].device", equalTo("H100_SXM"));
    }

    @Test
    void aServiceThatNoInstanceServesSaysWhy() {
        String portfolio = RequestEditor.with(measured(64, ""), "/services/0/request/slo", "{\"tpot_ms\": 0.01}");
        planned(portfolio)
                .body("outcome", equalTo("short"))
                .body("services[0].limited_by", equalTo("limits"))
                .body("services[0].no_instances.reason", hasItem(containsString("TPOT")))
                .body("services[1].served_share", equalTo(1.0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /stock/0/count                          | -1                      | /stock/0/count
                    /stock/0/count                          | NaN                     | /stock/0/count
                    /stock/0/price_per_hour                 | NaN                     | /stock/0/price_per_hour
                    /stock/0/devices_per_node               | 7                       | /stock/0/count
                    /stock/0/device                         | "H1000"                 | /services/0/request/devices/0
                    /stock                                  | []                      | /stock
                    /stock                                  | [null]                  | /stock/0
                    /services                               | [null]                  | /services/0
                    /services/0/devices                     | [null]                  | /services/0/devices/0
                    /services                               | []                      | /services
                    /services/0/weight                      | 0                       | /services/0/weight
                    /services/0/may_refuse                  | 1                       | /services/0/may_refuse
                    /services/0/min_replicas                | 2000000                 | /services/0/min_replicas
                    /services/0/devices                     | ["B200_SXM"]            | /services/0/devices/0
                    /services/0/name                        | "summaries"             | /services/1/name
                    /services/0/demand_by_hour/requests_per_s | [1, 2]                | /services/0/demand_by_hour/requests_per_s
                    /services/0/demand_by_hour              | {}                      | /services/0/demand_by_hour
                    /services/0/request/devices             | ["H100_SXM"]            | /services/0/request/devices
                    /services/0/request/mode                | "aggregation"           | /services/0/request/mode
                    /services/0/request/demand              | {"requests_per_s": 1}   | /services/0/request/demand
                    /services/0/request/model_id            | "Qwen/Qwen3-33B"        | /services/0/request/model_id
                    /services/0/request/workload/input_length | "x"                   | /services/0/request/workload/input_length
                    /services/0/request/headroom            | NaN                     | /services/0/request/headroom
                    /services/0/request/nothing             | 1                       | /services/0/request/nothing
                    /time_limit_s                           | 1000                    | /time_limit_s
                    """)
    void brokenRulesAreNamed(String pointer, String value, String named) {
        plan(RequestEditor.with(measured(20, ""), pointer, value))
                .statusCode(400)
                .body("errors.pointer", hasItem(named));
    }

    @Test
    void instancesThatShareNodesDivideOneAnother() {
        String portfolio = RequestEditor.with(
                RequestEditor.with(measured(16, ""), "/stock/0/devices_per_node", "8"),
                "/services/0/request/instance_sizes",
                "[2, 3]");
        plan(portfolio).statusCode(400).body("errors.pointer", hasItem("/stock/0/devices_per_node"));
    }

    @Test
    void theRooflineHasNoUnfavourableEnd() {
        plan(RequestEditor.with(Examples.text("portfolio.json"), "/unfavourable", "true"))
                .statusCode(400)
                .body("errors.pointer", hasItem("/services/0/request/cost_model"));
    }

    @Test
    void hundredsOfServicesAreRefused() {
        ObjectNode portfolio = (ObjectNode) JSON.readTree(measured(20, ""));
        JsonNode service = portfolio.required("services").get(0);
        var services = JSON.createArrayNode();
        for (int place = 0; place < 300; place++) {
            services.add(((ObjectNode) service.deepCopy()).put("name", "s" + place));
        }
        portfolio.set("services", services);
        plan(portfolio.toString()).statusCode(400).body("errors.pointer", hasItem("/services"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/csv"})
    void reportsHaveEachService(String type) {
        String report = json(measured(6, ""))
                .accept(type)
                .post(PORTFOLIOS)
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertThat(report).contains("chat", "summaries", "H100_SXM");
        if (type.equals("text/csv")) {
            assertThat(report.lines().findFirst().orElseThrow())
                    .startsWith("service,served_share,limited_by,device,deployment,count,num_devices,instances");
        } else {
            assertThat(report).contains("The stock does not suffice", "Alone Missing");
        }
    }
}

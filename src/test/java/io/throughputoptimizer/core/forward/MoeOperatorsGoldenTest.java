package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Relayered;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Every case of `moe-operators.json`, measured on the reference (msmodeling 84fec85) with few layers: figures to
/// 1e-9 relative, weights and cache to the byte, and activation but for one pass that says so.
class MoeOperatorsGoldenTest {
    /// Cases with an option that the API does not offer: redundant experts.
    private static final Set<String> NOT_OFFERED = Set.of("n22_q30_redundant");

    /// Bytes of zeros that the reference's tracer turned into an input of the graph in this run: the group mask of
    /// DeepSeek-V3.2, `[250, 8]` in float32. In others it did not.
    private static final Map<String, Double> FOLDED_ZEROS = Map.of("n07_dsv32_chunk", 250 * 8 * 4.0);

    /// Bytes too many beside split shared experts, whose passes say that their memory is not exact.
    private static final Map<String, Double> TOO_MANY = Map.of("n18_shared_tp", 14_336.0);

    /// The file gives the time of a call in whole picoseconds.
    private static final double ROUNDING_MICROS = 1e-6;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    record GoldenCase(JsonNode json) {
        JsonNode setup() {
            return json.get("case");
        }

        String name() {
            return setup().get("name").asString();
        }

        @Override
        public String toString() {
            return setup().toString();
        }
    }

    static Stream<GoldenCase> cases() {
        return GoldenFigures.cases("moe-operators.json").stream()
                .map(GoldenCase::new)
                .filter(golden -> !NOT_OFFERED.contains(golden.name()));
    }

    @Test
    void onlyTheCasesWithOptionsNotOfferedAreLeftOut() {
        assertThat(GoldenFigures.cases("moe-operators.json")).hasSize((int) cases().count() + NOT_OFFERED.size());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void equalsTheReference(GoldenCase golden) {
        PricedPass pass =
                estimator.price(deployment(golden.setup()), shape(golden.setup().get("req")));

        MemoryFootprint memory = pass.estimate().memory();
        GoldenFigures.assertClose(
                pass.estimate().latencyMillis() / 1000, golden.json().get("total"));
        assertThat(memory.weightBytes()).isEqualTo(golden.json().get("weight").asDouble());
        assertThat(memory.kvCacheBytes()).isEqualTo(golden.json().get("kv").asDouble());
        double tooMany = TOO_MANY.getOrDefault(golden.name(), 0.0);
        assertThat(memory.activationBytes() + FOLDED_ZEROS.getOrDefault(golden.name(), 0.0) - tooMany)
                .isEqualTo(golden.json().get("act").asDouble());
        assertThat(memory.exact() && tooMany != 0).isFalse();
        OperatorTotals.assertEqual(OperatorTotals.of(pass), operators(golden.json()), ROUNDING_MICROS);
    }

    private static List<OperatorTotals.Total> operators(JsonNode golden) {
        return GoldenFigures.elements(golden.get("ops"))
                .filter(row -> row.get("sum").asDouble() > 0)
                .map(row -> new OperatorTotals.Total(
                        fullName(row.get("op").asString()),
                        row.get("n").asDouble(),
                        row.get("sum").asDouble() * 1e6))
                .toList();
    }

    /// The file leaves out the name of an operator's only overload.
    private static String fullName(String name) {
        return name.chars().filter(character -> character == '.').count() == 1 ? name + ".default" : name;
    }

    private static Deployment deployment(JsonNode setup) {
        ModelArchitecture whole = GoldenDeployments.model(setup.get("model").asString());
        int layers = setup.path("num_hidden_layers_override").asInt(0);
        ModelArchitecture model = layers == 0 ? whole : Relayered.withLayers(whole, layers);
        int devices = setup.get("world_size").asInt();
        return new Deployment(
                model,
                TestDeployments.device(setup.get("device").asString()),
                GoldenDeployments.layout(
                        model,
                        setup.get("tp_size").asInt(),
                        devices,
                        setup.get("ep_size").asInt(),
                        setup.path("moe_dp_size").asInt(1)),
                GoldenDeployments.quantization(
                        setup.get("quantize_linear_action").asString(),
                        setup.path("quantize_attention_action").asString("DISABLED")),
                new Execution(
                                setup.get("do_compile").asBoolean(),
                                setup.path("num_mtp_tokens").asInt(0),
                                0,
                                PassAccounting.DOCUMENTED,
                                false,
                                false)
                        .withSharedExpertsSplit(
                                setup.path("enable_shared_expert_tp").asBoolean(false)));
    }

    private static ForwardShape shape(JsonNode requests) {
        if (requests.isArray()) {
            return new ForwardShape.RequestList(GoldenFigures.elements(requests)
                    .map(request -> new ForwardShape.Group(1, request(request)))
                    .toList());
        }
        return new ForwardShape.Uniform(requests.get("concurrency").asLong(), request(requests));
    }

    private static Request request(JsonNode request) {
        return new Request(
                request.get("query_len").asLong(),
                request.get("seq_len").asLong(),
                request.get("is_decode").asBoolean());
    }
}

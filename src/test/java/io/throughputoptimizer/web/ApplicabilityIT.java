package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.Applicability;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.fixture.RequestEditor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Every member of a request that is said to belong to one cost model or mode is refused elsewhere, and nowhere else.
class ApplicabilityIT extends HttpTest {
    private static final String REFUSAL = ".+ (requires|is not supported|is supported|must) .+";
    private static final String NEEDLESS = ".*(requires cost_model|requires mode|supported in mode aggregation only).*";

    /// Refused in every request, so that nothing is computed.
    private static final String NO_MODEL = "\"\"";

    /// A kind of request under one cost model and mode.
    record Place(
            Class<? extends Record> type,
            String path,
            CostModelName costModel,
            @Nullable Mode mode) {
        /// One that breaks no rule.
        String request() {
            String request = "{\"model_id\": \"Qwen/Qwen3-8B\"}";
            for (Map.Entry<String, String> member : Stream.of(ofType(), ofCostModel(), ofMode())
                    .flatMap(members -> members.entrySet().stream())
                    .toList()) {
                request = RequestEditor.with(request, member.getKey(), member.getValue());
            }
            return request;
        }

        private Map<String, String> ofType() {
            String lengths = "{\"input_length\": 100, \"output_length\": 10}";
            if (type == EstimateRequest.class) {
                return Map.of(
                        "/device", "\"H100_SXM\"",
                        "/pass", "{\"phase\": \"decode\", \"concurrency\": 2, \"query_len\": 1, \"seq_len\": 10}");
            }
            return type == SimulationRequest.class
                    ? Map.of("/device", "\"H100_SXM\"", "/workload", lengths, "/traffic", "{\"concurrency\": 2}")
                    : Map.of("/devices", "[\"H100_SXM\"]", "/num_devices", "4", "/workload", lengths);
        }

        private Map<String, String> ofCostModel() {
            return costModel == CostModelName.CALIBRATED
                    ? Map.of(
                            "/cost_model", "\"calibrated\"",
                            "/engine", "{\"backend\": \"vllm\"}",
                            "/quantization", "{\"scheme\": \"FP8\"}")
                    : Map.of("/cost_model", "\"analytic\"");
        }

        private Map<String, String> ofMode() {
            return switch (mode) {
                case null -> Map.of();
                case AGGREGATION -> Map.of("/mode", "\"aggregation\"");
                case DISAGGREGATION -> Map.of("/mode", "\"disaggregation\"", "/slo", "{\"ttft_ms\": 2000}");
                case PD_RATIO ->
                    Map.of(
                            "/mode",
                            "\"pd_ratio\"",
                            "/pd_ratio",
                            "{\"prefill_devices_per_instance\": 1, \"decode_devices_per_instance\": 1}");
                case CAPACITY -> Map.of("/mode", "\"capacity\"", "/demand", "{\"requests_per_s\": 1}");
            };
        }
    }

    /// All but phases by themselves on measured devices, which are refused whatever they bring.
    static Stream<Place> places() {
        Stream<Place> searches = Stream.of(CostModelName.values())
                .flatMap(costModel -> Stream.of(Mode.values())
                        .filter(mode -> costModel == CostModelName.ANALYTIC || mode != Mode.DISAGGREGATION)
                        .map(mode -> new Place(OptimizationRequest.class, OPTIMIZATIONS, costModel, mode)));
        Stream<Place> estimates = Stream.of(CostModelName.values())
                .map(costModel -> new Place(EstimateRequest.class, "/api/v1/estimates", costModel, null));
        Place simulation = new Place(SimulationRequest.class, "/api/v1/simulations", CostModelName.CALIBRATED, null);
        return Stream.of(searches, estimates, Stream.of(simulation)).flatMap(place -> place);
    }

    @ParameterizedTest
    @MethodSource("places")
    void aMemberIsRefusedWhereItDoesNotBelong(Place place) {
        List<Applicability> elsewhere = Applicability.of(place.type).stream()
                .filter(member -> !member.isTaken(place.costModel, place.mode))
                .toList();

        assertThat(elsewhere).isNotEmpty();
        for (Applicability member : elsewhere) {
            List<JsonNode> errors = errors(place, with(place.request(), member));
            assertThat(errors).as(member.pointer()).anySatisfy(error -> {
                assertThat(pointer(error)).isEqualTo(member.pointer());
                assertThat(message(error)).matches(REFUSAL);
            });
            assertThat(errors)
                    .as("nothing else is wrong than " + member.pointer())
                    .allMatch(error -> pointer(error).startsWith(member.pointer())
                            || member.pointer().startsWith(pointer(error))
                            || isMissingBeside(member, error));
        }
    }

    /// What the part of the request that holds the member needs besides, of which the request has nothing else.
    private static boolean isMissingBeside(Applicability member, JsonNode error) {
        int partEnds = member.pointer().indexOf('/', 1);
        return partEnds > 0
                && pointer(error).startsWith(member.pointer().substring(0, partEnds + 1))
                && message(error).contains("is required");
    }

    @ParameterizedTest
    @MethodSource("places")
    void aMemberIsTakenWhereItBelongs(Place place) {
        for (Applicability member : Applicability.of(place.type)) {
            if (member.isTaken(place.costModel, place.mode)) {
                String request = RequestEditor.with(with(place.request(), member), "/model_id", NO_MODEL);
                assertThat(errors(place, request))
                        .as(member.pointer())
                        .noneMatch(error -> pointer(error).equals(member.pointer())
                                && message(error).matches(NEEDLESS));
            }
        }
    }

    @Test
    void membersOfAllKindsAreJudged() {
        assertThat(Applicability.of(OptimizationRequest.class).stream().map(Applicability::pointer))
                .contains(
                        "/engine",
                        "/pd_ratio",
                        "/demand",
                        "/explain",
                        "/slo/percentile",
                        "/quantization/linear",
                        "/search/strategy");
        assertThat(Applicability.of(EstimateRequest.class).stream().map(Applicability::pointer))
                .contains("/compile", "/parallel/dp", "/pass/image");
        assertThat(Applicability.of(SimulationRequest.class).stream().map(Applicability::pointer))
                .contains("/workload/image", "/parallel/dcp");
    }

    private static String with(String request, Applicability member) {
        return RequestEditor.with(
                request, member.pointer(), example(member.component().getGenericType()));
    }

    /// Some value of a component, as it comes over the wire; of an object none of its members.
    private static String example(Type type) {
        if (type instanceof ParameterizedType generic) {
            String element = example(generic.getActualTypeArguments()[0]);
            return generic.getRawType() == List.class ? "[" + element + "]" : element;
        }
        Class<?> known = (Class<?>) type;
        if (known.isEnum()) {
            return WireFormat.write(known.getEnumConstants()[0]);
        }
        return known == Boolean.class ? "true" : Number.class.isAssignableFrom(known) ? "2" : "{}";
    }

    private List<JsonNode> errors(Place place, String request) {
        String answer =
                json(request).post(place.path).then().statusCode(400).extract().asString();
        return JsonMapper.shared()
                .readTree(answer)
                .required("errors")
                .valueStream()
                .toList();
    }

    private static String pointer(JsonNode error) {
        return error.required("pointer").asString();
    }

    private static String message(JsonNode error) {
        return error.required("detail").asString();
    }
}

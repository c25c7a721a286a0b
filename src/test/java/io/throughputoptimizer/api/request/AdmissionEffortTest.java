package io.throughputoptimizer.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.fixture.BuiltIn;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What is looked at before a search begins is bounded, however few bytes ask for however much: requests full of sizes,
/// repetitions and divisors are counted, not built. Counted in bytes that the thread of the request takes, which are
/// the same on a busy machine; what enumerated a single one of these lists with another took many gigabytes.
class AdmissionEffortTest {
    private static final long MOST_BYTES = 600_000_000;
    private static final int DEVICES = 720_720;
    private static final int MOST_DEVICES = 1_000_000;
    private static final long MOST_POINTS = 2_500_000;

    private static final List<Integer> DIVISORS = IntStream.rangeClosed(1, DEVICES)
            .filter(size -> DEVICES % size == 0)
            .boxed()
            .toList();
    private static final List<Integer> LARGE_DIVISORS = DIVISORS.subList(DIVISORS.size() - 64, DIVISORS.size());
    private static final List<Integer> SMALL =
            IntStream.rangeClosed(1, 64).boxed().toList();

    private static final ValidatorFactory VALIDATORS = Validation.buildDefaultValidatorFactory();
    private static final RequestValidator VALIDATOR = new RequestValidator(VALIDATORS);
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final ProblemReader PROBLEMS = new ProblemReader(CATALOGS, MOST_POINTS);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @AfterAll
    static void close() {
        VALIDATORS.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"documented", "steady"})
    void equalQuantizationsAreLookedAtOnce(String accounting) {
        ObjectNode request = analytic("deepseek-ai/DeepSeek-V3.1", "aggregation", accounting);
        ObjectNode quantization = request.putObject("quantization");
        addAll(quantization.putArray("linear"), Collections.nCopies(1000, "W8A8_DYNAMIC"));
        addAll(quantization.putArray("non_expert_linear"), Collections.nCopies(1000, "W8A8_DYNAMIC"));
        addAll(quantization.putArray("attention"), Collections.nCopies(1000, "INT8"));
        addAll(request.withObject("/serving").putArray("num_mtp_tokens"), Collections.nCopies(1000, 1));
        request.put("num_devices", 8).withObject("/search").putArray("tp_sizes").add(1);
        judge(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregation", "disaggregation", "pd_ratio", "capacity"})
    void sizesFullOfDivisorsAreCounted(String mode) {
        judge(filled(analytic("deepseek-ai/DeepSeek-V3.1", mode, "steady"), LARGE_DIVISORS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregation", "pd_ratio", "capacity"})
    void sizesFullOfDivisorsAreCountedOnceForAllKindsOfDevice(String mode) {
        ObjectNode request = filled(analytic("deepseek-ai/DeepSeek-V3.1", mode, "documented"), LARGE_DIVISORS);
        List<String> names = IntStream.range(0, 64).mapToObj(kind -> "D" + kind).toList();
        ArrayNode profiles = request.putArray("device_profiles");
        names.forEach(name -> profiles.addObject().setAll(device()).put("name", name));
        addAll(request.putArray("devices"), names);
        if (mode.equals("pd_ratio")) {
            addAll(request.withObject("/pd_ratio").putArray("prefill_devices"), names);
            addAll(request.withObject("/pd_ratio").putArray("decode_devices"), names);
        }
        judge(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregation", "pd_ratio", "capacity"})
    void sizesOfMeasuredDevicesAreCounted(String mode) {
        judge(filled(calibrated(mode), LARGE_DIVISORS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pd_ratio", "capacity"})
    void manySmallInstancesAreCounted(String mode) {
        ObjectNode request = filled(calibrated(mode), SMALL);
        request.remove("search");
        judge(request.put("num_devices", MOST_DEVICES));
        judge(request.put("num_devices", 512));
        if (mode.equals("pd_ratio")) {
            judge(request.put("explain", true));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "re:.*.*.*x"})
    void modulesOfACheckpointAreNotComparedForEver(String target) {
        ObjectNode request = analytic("my/model", "aggregation", "documented").put("num_devices", 8);
        ObjectNode config = request.putObject("model_config");
        config.put("model_type", "qwen3")
                .put("hidden_size", 2048)
                .put("num_hidden_layers", 1000)
                .put("num_attention_heads", 16)
                .put("num_key_value_heads", 8)
                .put("head_dim", 128)
                .put("intermediate_size", 6144)
                .put("vocab_size", 151_936)
                .put("rms_norm_eps", 1e-6)
                .put("max_position_embeddings", 40_960);
        ObjectNode quantization = config.putObject("quantization_config").put("quant_method", "compressed-tensors");
        for (int group = 0; group < 300; group++) {
            ObjectNode one = quantization.withObject("/config_groups").putObject("g" + group);
            one.putObject("weights").put("num_bits", 8).put("type", "float").put("symmetric", true);
            one.putArray("targets").add(target);
        }
        judge(request);
    }

    private static ObjectNode filled(ObjectNode request, List<Integer> instances) {
        String mode = request.required("mode").asString();
        boolean measured = request.has("cost_model");
        for (String member : measured
                ? List.of("tp_sizes", "dp_sizes", "ep_sizes")
                : List.of("tp_sizes", "ep_sizes", "moe_dp_sizes", "dcp_sizes")) {
            addAll(request.withObject("/search").putArray(member), DIVISORS);
        }
        switch (mode) {
            case "disaggregation" ->
                request.putObject("slo").put("ttft_ms", 1000).put("tpot_ms", 50);
            case "pd_ratio" -> {
                request.put("num_devices", MOST_DEVICES);
                addAll(request.withObject("/pd_ratio").putArray("prefill_devices_per_instance"), instances);
                addAll(request.withObject("/pd_ratio").putArray("decode_devices_per_instance"), instances);
            }
            case "capacity" -> {
                request.put("num_devices", MOST_DEVICES).putObject("demand").put("requests_per_s", 100_000);
                addAll(request.putArray("instance_sizes"), instances);
            }
            default -> {}
        }
        return request;
    }

    private static ObjectNode analytic(String model, String mode, String accounting) {
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("model_id", model)
                .put("mode", mode)
                .put("accounting", accounting)
                .put("num_devices", DEVICES);
        request.putObject("workload").put("input_length", 3500).put("output_length", 1500);
        request.putObject("serving").put("compile", true);
        request.putArray("devices").add("LARGE");
        request.putArray("device_profiles").add(device());
        return request;
    }

    private static ObjectNode device() {
        ObjectNode device = (ObjectNode) JsonMapper.shared()
                .readTree(
                        WireFormat.write(CATALOGS.deviceDocument("TEST_DEVICE").orElseThrow()));
        return large(device);
    }

    private static ObjectNode large(ObjectNode device) {
        device.remove("effective");
        device.put("name", "LARGE");
        device.withObject("/interconnect").putArray("grid").add(MOST_DEVICES);
        ArrayNode links = device.withObject("/interconnect").withArray("links");
        while (links.size() > 1) {
            links.remove(links.size() - 1);
        }
        return device;
    }

    private static ObjectNode calibrated(String mode) {
        ObjectNode request = analytic("Qwen/Qwen3-30B-A3B", mode, "steady").put("cost_model", "calibrated");
        request.remove("serving");
        request.putObject("engine").put("backend", "vllm");
        request.putObject("quantization").put("scheme", "FP8");
        ObjectNode device = (ObjectNode) JsonMapper.shared()
                .readTree(WireFormat.write(CATALOGS.deviceDocument("H100_SXM").orElseThrow()));
        request.putArray("device_profiles").add(large(device));
        return request;
    }

    private static void addAll(ArrayNode array, List<?> values) {
        values.forEach(array::addPOJO);
    }

    private static void judge(ObjectNode request) {
        byte[] body = JsonMapper.shared().writeValueAsBytes(request);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            OptimizationRequest asked = WireFormat.read(WireFormat.Syntax.JSON, body, OptimizationRequest.class);
            VALIDATOR.check(asked);
            assertThat(PROBLEMS.accept(asked).problem().mostPoints()).isBetween(0L, MOST_POINTS);
        } catch (InvalidRequestException refused) {
            assertThat(refused.violations().getFirst().message()).contains("batch sizes on all layouts");
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .as(() -> "bytes for "
                        + Stream.of(request.propertyStream().map(Map.Entry::getKey))
                                .map(names -> names.collect(Collectors.joining(",")))
                                .findFirst()
                                .orElse(""))
                .isLessThan(MOST_BYTES);
    }
}

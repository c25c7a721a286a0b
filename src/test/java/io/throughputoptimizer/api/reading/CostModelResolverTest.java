package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.CostModelChoice;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.catalog.MeasuredServers;
import io.throughputoptimizer.core.accuracy.MeasuredServer;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.BuiltIn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostModelResolverTest {
    private static final CostModelResolver RESOLVER = new CostModelResolver(BuiltIn.CATALOGS);
    private static final ProblemReader PROBLEMS = new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE);
    private static final List<String> MODES = List.of(
            "\"mode\": \"aggregation\"",
            "\"mode\": \"disaggregation\"",
            "\"mode\": \"pd_ratio\"",
            "\"mode\": \"capacity\", \"demand\": {\"requests_per_s\": 1}");

    private static WireFormat.Parsed<OptimizationRequest> request(String model, String devices, String more) {
        String json = """
                {"model_id": "%s", "devices": [%s], "num_devices": 64, "slo": {"tpot_ms": 100},
                 "workload": {"input_length": 500, "output_length": 50}%s}""".formatted(model, devices, more.isEmpty() ? "" : ", " + more);
        return parsed(json);
    }

    private static WireFormat.Parsed<OptimizationRequest> parsed(String json) {
        return WireFormat.parse(
                WireFormat.Syntax.JSON, json.getBytes(StandardCharsets.UTF_8), OptimizationRequest.class);
    }

    private static OptimizationRequest resolved(WireFormat.Parsed<OptimizationRequest> request) {
        return RESOLVER.resolved(request.value(), request.given());
    }

    private static boolean isCompared(String device, String mode) {
        return BuiltIn.CATALOGS
                .calibrationOf(device)
                .filter(calibration -> calibration.isCompared(mode.contains("pd_ratio")))
                .isPresent();
    }

    @Test
    void comparesTheDevicesOfAllMeasuredServers() {
        assertThat(MeasuredServers.read(BuiltIn.CATALOGS).stream()
                        .map(MeasuredServer::device)
                        .distinct())
                .isNotEmpty()
                .allMatch(device -> isCompared(device, ""));
        assertThat(BuiltIn.CATALOGS.devices().names().stream().filter(device -> isCompared(device, "")))
                .containsExactlyInAnyOrder("H100_SXM", "H200_SXM", "B200_SXM", "B300_SXM");
        assertThat(BuiltIn.CATALOGS.devices().names().stream().filter(device -> isCompared(device, "pd_ratio")))
                .hasSize(6)
                .contains("GB200", "GB300");
    }

    @Test
    void choosesCalibratedForPricedModelsOnComparedDevicesOnly() {
        for (ModelArchitecture model : BuiltIn.CATALOGS.models().all()) {
            boolean supported = CalibratedDeployment.obstacle(model).isEmpty()
                    && Scheme.of(model).isPresent();
            for (String device : BuiltIn.CATALOGS.devices().names()) {
                for (String mode : MODES) {
                    OptimizationRequest request = resolved(request(model.id(), "\"" + device + "\"", mode));
                    boolean possible = supported && isCompared(device, mode) && !mode.contains("disaggregation");
                    assertThat(request.costModel()).isNotEqualTo(CostModelChoice.AUTO);
                    assertThat(request.isCalibrated() && !possible)
                            .as(model.id() + device + mode)
                            .isFalse();
                }
            }
        }
    }

    /// The effective request states the chosen cost model.
    @Test
    void readsChosenRequests() {
        for (String model : List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "openai/gpt-oss-120b")) {
            for (String mode : MODES) {
                OptimizationRequest request =
                        resolved(request(model, "\"B200_SXM\"", mode + ", \"accounting\": \"steady\""));
                assertThat(request.isCalibrated()).isEqualTo(!mode.contains("disaggregation"));
                OptimizationRequest effective = PROBLEMS.accept(request).effective();
                assertThat(effective.costModel()).isEqualTo(request.costModel());
                assertThat(resolved(parsed(WireFormat.write(effective)))).isEqualTo(effective);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "H200_SXM"             | ~~                                         | CALIBRATED | all devices were compared with measured servers
            "H200_SXM"             | "cost_model": "auto"                       | CALIBRATED | all devices were compared with measured servers
            "H200_SXM", "A100_SXM" | ~~                                         | ANALYTIC   | A100_SXM was not compared with measured servers
            "H200_SXM"             | "quantization": {"linear": "W8A8_DYNAMIC"} | ANALYTIC   | calibrated does not support quantization.linear
            "H200_SXM"             | "serving": {"compile": false}              | ANALYTIC   | calibrated does not support serving
            "H200_SXM"             | "accounting": "documented"                 | ANALYTIC   | calibrated does not support accounting documented
            "H200_SXM"             | "accounting": "steady"                     | CALIBRATED | all devices were compared with measured servers
            "H200_SXM"             | "dump_original_results": true              | ANALYTIC   | calibrated does not support dump_original_results
            "H200_SXM"             | "dump_original_results": false             | CALIBRATED | all devices were compared with measured servers
            "H100_SXM"             | ~~                                         | CALIBRATED | all devices were compared with measured servers
            "GB200"                | ~~                                         | ANALYTIC   | GB200 was not compared with measured servers
            "GB200"                | "mode": "pd_ratio"                         | CALIBRATED | all devices were compared with measured servers
            "A100_SXM"             | "engine": {"backend": "vllm"}              | CALIBRATED | analytic does not support engine
            "A100_SXM"             | "quantization": {"scheme": "FP8"}          | CALIBRATED | analytic does not support quantization.scheme
            "TEST_DEVICE"          | ~~                                         | ANALYTIC   | TEST_DEVICE was not compared with measured servers
            """)
    void saysWhy(String devices, String more, CostModelName costModel, String reason) {
        WireFormat.Parsed<OptimizationRequest> request = request("Qwen/Qwen3-32B", devices, more);

        assertThat(RESOLVER.choose(request.value(), request.given()))
                .isEqualTo(new CostModelResolver.Choice(costModel, reason));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "TEST_DEVICE" | "engine": {"backend": "vllm"}                       | /engine | requires cost_model calibrated, which has no kernels of TEST_DEVICE. Remove it or choose another device
            "H100_SXM"    | "engine": {"backend": "vllm"}, "serving": {"compile": true} | /engine | requires cost_model calibrated, which does not support serving. Remove one of them
            "H100_SXM"    | "traffic": {"waves": 3}, "mode": "disaggregation"   | /traffic | requires cost_model calibrated, which does not support mode disaggregation. Remove one of them
            """)
    void rejectsFieldsThatNoCostModelSupports(String devices, String more, String pointer, String detail) {
        WireFormat.Parsed<OptimizationRequest> request = request("Qwen/Qwen3-32B", devices, more);

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> resolved(request))
                .satisfies(
                        rejected -> assertThat(rejected.violations()).containsExactly(new Violation(pointer, detail)));
    }

    @Test
    void takesWeightsAndCacheOfTheCheckpoint() {
        OptimizationRequest dense = resolved(request("Qwen/Qwen3-32B", "\"H200_SXM\"", ""));
        OptimizationRequest stored = resolved(request("deepseek-ai/DeepSeek-R1", "\"H200_SXM\"", ""));
        OptimizationRequest stated =
                resolved(request("Qwen/Qwen3-32B", "\"H200_SXM\"", "\"quantization\": {\"scheme\": \"FP8\"}"));

        assertThat(dense.quantization().scheme("H200_SXM")).isEqualTo(Scheme.BF16);
        assertThat(requireNonNull(dense.engine()).backend("H200_SXM")).isEqualTo("vllm");
        assertThat(requireNonNull(dense.engine()).toCache().label()).isEqualTo("bf16");
        assertThat(stored.quantization().scheme("H200_SXM")).isEqualTo(Scheme.FP8_BLOCK);
        assertThat(stored.quantization().isOfCheckpoint()).isTrue();
        assertThat(stated.quantization().scheme("H200_SXM")).isEqualTo(Scheme.FP8);
        assertThat(requireNonNull(stated.engine()).asksForCache(Scheme.FP8)).isFalse();
    }
}

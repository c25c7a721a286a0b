package io.throughputoptimizer.api.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.benchmark.ImportResponse.ExperimentResponse;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.web.description.Examples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Inputs of AISimulate as requests.
class RequestFileTest {
    private static final String ENGINE = """
            engine:
              mode: aggregated
              model: Qwen/Qwen3-32B-FP8
              hardware: H200-SXM-141GB
              workers: {aggregated: {parallelism: %s}}
            """;

    @Test
    void readsThePredictionOfTheReadme() {
        ExperimentResponse read = read(Examples.text("aisimulate.yaml"));

        assertThat(read.name()).isEqualTo("aisimulate");
        assertRequest(read, """
                {"mode":"aggregation","model_id":"Qwen/Qwen3-32B","devices":["H200_SXM"],"engine":{"backend":"vllm"},\
                "workload":{"input_length":1024,"output_length":128},"quantization":{"scheme":"FP8"},\
                "search":{"tp_sizes":[1],"dp_sizes":[1],"ep_sizes":[1],"batch_range":[10,10]},"num_devices":1}""");
        assertThat(read.assumed())
                .containsExactly(
                        "workload.input_length is 1024: the default of AISimulate",
                        "workload.output_length is 128: the default of AISimulate",
                        "quantization.scheme is FP8: the name of the checkpoint",
                        "search.batch_range is [10, 10]: concurrency 10, the default of AISimulate");
        assertThat(read.leftOut()).isEmpty();
    }

    @Test
    void leavesLayoutsOfARecommendationToTheSearch() {
        ExperimentResponse read = read("""
                traffic:
                  source: {type: synthetic, input_tokens: 4000, output_tokens: 500}
                  load: {type: concurrency, concurrency: 64}
                engine:
                  model: Qwen/Qwen3-32B
                  hardware: auto
                  backend: {choices: [sglang, vllm]}
                  workers: {aggregated: {parallelism: {preset: default}, kv_cache: {prefix_caching: true}}}
                router: {policy: kv_router}
                evaluation: {sla: {ttft_ms: 800, itl_ms: 30}}
                optimization: {target: throughput_per_gpu, hardware: h200_sxm, constraints: {max_candidate_gpus: 8}}
                """);

        assertRequest(read, """
                {"mode":"aggregation","model_id":"Qwen/Qwen3-32B","devices":["H200_SXM"],"engine":{"backend":"sglang"},\
                "workload":{"input_length":4000,"output_length":500},"slo":{"ttft_ms":800.0,"tpot_ms":30.0},\
                "objective":"tokens_per_s_per_device","quantization":{"scheme":"BF16"},"num_devices":8}""");
        assertThat(WireFormat.write(read.leftOut())).isEqualTo("""
                [{"field":"engine.backend","reason":"only the first of its choices is read"},\
                {"field":"engine.workers.aggregated.kv_cache.prefix_caching","reason":"set workload.prefix_cache_hit_rate"},\
                {"field":"router","reason":"plans spread requests evenly"},\
                {"field":"traffic.load.concurrency","reason":"the search finds the concurrency of each layout"}]""");
    }

    @Test
    void readsPoolsAndRates() {
        ExperimentResponse pools = read("""
                engine:
                  mode: disaggregated
                  model: Qwen/Qwen3-30B-A3B
                  hardware: h100_sxm
                  workers:
                    prefill: {parallelism: {tensor: 2, replicas: 2}}
                    decode: {parallelism: {tensor: 1, attention_data: 4, moe_tensor: 2, moe_expert: 4}}
                """);
        assertThat(WireFormat.write(pools.request()))
                .contains(
                        "\"mode\":\"pd_ratio\"",
                        "\"prefill_devices_per_instance\":[2],\"decode_devices_per_instance\":[4]",
                        "\"tp_sizes\":[1,2],\"dp_sizes\":[1,4],\"ep_sizes\":[1,4]",
                        "\"num_devices\":8");
        assertThat(WireFormat.write(pools.leftOut())).contains("engine.workers.decode.parallelism.moe_tensor");

        ExperimentResponse rate = read(ENGINE.formatted("{tensor: 2, replicas: 4}")
                + "traffic: {load: {type: poisson, requests_per_second: 2.5}, extra: 1}");
        assertThat(WireFormat.write(rate.request()))
                .contains("\"mode\":\"capacity\"", "\"demand\":{\"requests_per_s\":2.5}", "\"num_devices\":8")
                .doesNotContain("batch_range");
        assertThat(WireFormat.write(rate.leftOut())).isEqualTo("""
                [{"field":"traffic.extra","reason":"not read"}]""");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            engine: {model: m, workers: {}, hardware: auto} | /engine/hardware | is required, here or as
            engine: {model: m, workers: {aggregated: {parallelism: {tensor: -1}}}, hardware: h200_sxm} | /engine/workers/aggregated/parallelism/tensor | must be an integer of at least 1, got -1.
            engine: {model: m, workers: {aggregated: {parallelism: {pipeline: 2}}}, hardware: h200_sxm} | /engine/workers/aggregated/parallelism/pipeline | must be 1, got 2.
            {engine: {model: m, workers: {}, hardware: x}, traffic: {source: {type: trace}}} | /traffic/source/type | Send the trace to
            {engine: {model: m, workers: {}, hardware: x}, evaluation: {sla: {ttft_ms: fast}}} | /evaluation/sla/ttft_ms | must be a number above 0, got "fast".
            {engine: {model: m, workers: {}, hardware: x, mode: both}} | /engine/mode | unknown value "both"; allowed: aggregated, disaggregated.
            {exps: [a], a: {serving_mode: agg}} | '' | For AIConfigurator, docs/reference/aiconfigurator.md
            """)
    void namesTheFieldAtFault(String document, String pointer, String message) {
        assertThatThrownBy(() -> read(document)).isInstanceOfSatisfying(InvalidRequestException.class, broken -> {
            assertThat(broken.violations().getFirst().pointer()).isEqualTo(pointer);
            assertThat(broken.violations().getFirst().message()).contains(message);
        });
    }

    private static void assertRequest(ExperimentResponse read, String request) {
        assertThat(WireFormat.write(read.request())).isEqualTo(request);
    }

    private static ExperimentResponse read(String document) {
        try {
            return RequestFile.read(
                            new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)),
                            name -> name.startsWith("Qwen/Qwen3-32B"))
                    .experiments()
                    .getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

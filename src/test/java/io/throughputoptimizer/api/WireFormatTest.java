package io.throughputoptimizer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.SearchRequest;
import io.throughputoptimizer.core.serving.Accounting;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireFormatTest {

    @Test
    void anEffectiveRequestReadsAsItWasWritten() {
        String request = """
                {"model_id": "a/b", "devices": ["TEST_DEVICE"], "num_devices": 8, "mode": "disaggregation",
                 "model_config": {"model_type": "x", "rope": [1, 2.5, null], "deep": {"k": true}},
                 "workload": {"length_distribution": {"bins": [{"min_tokens": 0, "max_tokens": 9, "weight": 0.1}]},
                              "output_length": 7, "prefix_cache_hit_rate": 0.29,
                              "image": {"height": 1080, "width": 1920}},
                 "slo": {"ttft_ms": "inf", "tpot_ms": 49.9996},
                 "search": {"tp_sizes": [8, 2], "ep_sizes": [], "batch_range": [4, 64], "strategy": "binary",
                            "max_batched_tokens": 8192},
                 "serving": {"mtp_acceptance_rate": []}}""";
        OptimizationRequest effective = WireFormat.read(request, OptimizationRequest.class);

        String written = WireFormat.write(effective);

        assertThat(WireFormat.read(written, OptimizationRequest.class)).isEqualTo(effective);
        assertThat(WireFormat.write(WireFormat.read(written, OptimizationRequest.class)))
                .isEqualTo(written);
    }

    @Test
    void anAbsentSizeListIsNotAnEmptyOne() {
        assertThat(search("{\"tp_sizes\": [2]}").epSizes()).isNull();
        assertThat(search("{\"tp_sizes\": [2], \"ep_sizes\": []}").epSizes()).isEmpty();
        assertThat(search("{\"ep_sizes\": []}").tpSizes()).isNull();
    }

    @Test
    void whenNothingIsSearchedTensorParallelismIs() {
        assertThat(search("{}").tpSizes()).isEmpty();
        assertThat(search("{\"ep_sizes\": null}").tpSizes()).isEmpty();
    }

    @Test
    void membersAreSnakeCase() {
        assertThat(WireFormat.memberName("tokensPerS")).isEqualTo("tokens_per_s");
        assertThat(WireFormat.memberName("mxfp4GroupSize")).isEqualTo("mxfp4_group_size");
    }

    @Test
    void readsRemovedAccountingOfStoredRequestsAsSteady() {
        String stored = "{\"model_id\": \"Qwen/Qwen3-8B\", \"accounting\": \"corrected\"}";

        assertThat(WireFormat.readStored(stored, OptimizationRequest.class).accounting())
                .isEqualTo(Accounting.STEADY);
    }

    @ParameterizedTest
    @ValueSource(classes = {OptimizationRequest.class, EstimateRequest.class})
    void rejectsRemovedAccounting(Class<?> type) {
        byte[] request = "{\"accounting\": \"corrected\"}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> WireFormat.read(WireFormat.Syntax.JSON, request, type))
                .isInstanceOfSatisfying(
                        InvalidRequestException.class,
                        refused -> assertThat(refused.violations())
                                .containsExactly(new Violation(
                                        "/accounting",
                                        "unknown value \"corrected\"; allowed: documented, steady. Use steady.")));
    }

    private static SearchRequest search(String json) {
        return WireFormat.read(json, SearchRequest.class);
    }
}

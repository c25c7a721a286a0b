package io.throughputoptimizer.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Conversion of stored JSON of earlier versions.
class EarlierNamesTest {
    @Test
    void convertsRequest() {
        String stored = """
                {"model_config":{"qps":1.50,"kv_cache":[{"tokens":2}]},"engine":{"backend":"vllm","token_budget":4096,\
                "kv_cache":"fp8","max_running":64},"slo":{"request_latency_ms":9e3},"traffic":{"length_ratio":0.8},\
                "speculation":{"tokens":[0,3],"rates":[0.8,0.5,0.3],"request_ms":0.16},\
                "serving":{"mtp_acceptance":{"accepted":2.6}}}""";

        assertThat(EarlierNames.inRequest(stored)).isEqualTo("""
                {"model_config":{"qps":1.50,"kv_cache":[{"tokens":2}]},"engine":{"backend":"vllm",\
                "max_batched_tokens":4096,"kv_cache_dtype":"fp8","max_num_seqs":64},"slo":{"e2e_latency_ms":9e3},\
                "traffic":{"random_range_ratio":0.8},\
                "speculation":{"num_draft_tokens":[0,3],"acceptance":{"rates":[0.8,0.5,0.3]},"request_ms":0.16},\
                "serving":{"mtp_acceptance":{"length":2.6}}}""");
    }

    @Test
    void convertsPointersOfSweep() {
        assertThat(EarlierNames.inRequest("""
                {"base":{"engine":{"kv_cache":"fp8"}},"axes":[{"pointer":"/engine/token_budget","values":[1,2]}]}""")).isEqualTo("""
                {"base":{"engine":{"kv_cache_dtype":"fp8"}},\
                "axes":[{"pointer":"/engine/max_batched_tokens","values":[1,2]}]}""");
    }

    @Test
    void convertsResult() {
        String stored = """
                {"result_version":1,"devices":[{"pd_ratio":{"rows":[{"p_qps":1.0,"d_qps":2.50,"balanced_qps":1.0,\
                "ttft_p":10.0,"tpot_d":20.0,"binds_p":["ttft"],"binds_d":["request_latency"]},\
                {"ttft_p":10.0,"ttft_ms":15.0}],"rows_left_out":3}}],\
                "explanation":{"answers":[{"binding":[{"binds":"token_budget"}],"frontier":[],"what_would_help":[]}]}}""";

        assertThat(EarlierNames.inResult(stored)).isEqualTo("""
                {"result_version":2,"devices":[{"pd_ratio":{"rows":[{"prefill_requests_per_s":1.0,\
                "decode_requests_per_s":2.50,"balanced_requests_per_s":1.0,"limited_by_prefill":["ttft"],\
                "limited_by_decode":["e2e_latency"],"ttft_ms":10.0,"tpot_ms":20.0},{"ttft_ms":15.0}],\
                "omitted_rows":3}}],"explanation":{"answers":[{"bottlenecks":[{"limited_by":"max_batched_tokens"}],\
                "pareto_frontier":[],"sensitivities":[]}]}}""");
    }

    @Test
    void convertsCells() {
        assertThat(EarlierNames.inCells("{\"cells\":[{\"figures\":{\"token/s\":10.0,\"ttft_low\":1.0,\"tp\":2}}]}"))
                .isEqualTo("{\"cells\":[{\"figures\":{\"tokens_per_s\":10.0,\"ttft_ms_low\":1.0,\"tp\":2}}]}");
        assertThat(EarlierNames.column("token/s/device_high")).isEqualTo("tokens_per_s_per_device_high");
    }

    @Test
    void keepsCurrentJson() {
        String result = "{\"result_version\":2, \"qps\": 1}";
        String request = "{\"slo\": {\"ttft_ms\": 1.0}}";

        assertThat(EarlierNames.inResult(result)).isSameAs(result);
        assertThat(EarlierNames.inRequest(request)).isSameAs(request);
    }
}

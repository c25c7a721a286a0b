package io.throughputoptimizer.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The budget of a rank, worked out by hand.
class RankBudgetTest {
    /// Waves of whole prompts: 8192 div 3500 = 2 of an instance; over 4 ranks one each.
    @ParameterizedTest
    @CsvSource({
        // documented, role, dp, batch, prompt, budget, chunks, tokens of a rank
        "true, AGGREGATION, 1, 64, 3500, 8192, 1, 7000",
        "true, AGGREGATION, 1, 1, 3500, 8192, 1, 3500",
        "true, AGGREGATION, 4, 64, 3500, 8192, 1, 3500",
        "true, AGGREGATION, 2, 64, 1000, 8192, 1, 4000",
        "true, AGGREGATION, 2, 64, 20000, 8192, 3, 8192",
        "true, PREFILL, 1, 4, 3500, 8192, 1, 14000",
        "true, PREFILL, 4, 4, 3500, 8192, 1, 14000",
        "true, PREFILL, 1, 4, 20000, 8192, 3, 8192",
        "false, PREFILL, 4, 64, 20000, 8192, 3, 8192",
        "false, AGGREGATION, 4, 64, 3500, 8192, 1, 8192",
    })
    void aRankHasWhatTheRowCountsWith(
            boolean documented, Role role, int dp, int batch, int prompt, int budget, int chunks, long tokens) {
        RowResponse row = row(dp, batch, prompt, budget, chunks, "");

        assertThat(RankBudget.of(row, role, documented).promptTokens()).isEqualTo(tokens);
    }

    /// 7 requests of a rank, of two ranks: 2 * 250 + 750 + 1750 + 2250 + 2750 + 3250 = 11250 tokens.
    @ParameterizedTest
    @CsvSource({"true, 11250", "false, 140000"})
    void aMixedBatchIsPrefilledAtOnceOrCut(boolean documented, long tokens) {
        String parts = """
                , "composition": [
                  {"num_input_tokens": 250, "query_len": 250, "request_ratio": 0.28, "samples": 4},
                  {"num_input_tokens": 750, "query_len": 750, "request_ratio": 0.14, "samples": 2},
                  {"num_input_tokens": 1750, "query_len": 1750, "request_ratio": 0.14, "samples": 2},
                  {"num_input_tokens": 2250, "query_len": 2250, "request_ratio": 0.14, "samples": 2},
                  {"num_input_tokens": 2750, "query_len": 2750, "request_ratio": 0.14, "samples": 2},
                  {"num_input_tokens": 3250, "query_len": 3250, "request_ratio": 0.14, "samples": 2}]""";

        RankBudget budget = RankBudget.of(row(2, 7, 1607, 140_000, 1, parts), Role.PREFILL, documented);

        assertThat(budget.promptTokens()).isEqualTo(tokens);
    }

    /// Prompts and 64 requests of 2 tokens share a step; of chunks it holds no more than 1.15 times the budget, and
    /// where the budget has both, no more than it.
    @ParameterizedTest
    @CsvSource({
        "true, 3500, 1, 7128",
        "true, 20000, 3, 8320",
        "false, 3500, 1, 8192",
    })
    void decodesShareTheStep(boolean documented, int prompt, int chunks, long tokens) {
        RankBudget budget = RankBudget.of(row(1, 64, prompt, 8192, chunks, ""), Role.AGGREGATION, documented);

        assertThat(budget.mixedStep(64, 2)).isEqualTo(tokens);
        assertThat(budget.mixedStep(4096, 2))
                .isEqualTo(!documented ? 8192 : chunks > 1 ? (long) (1.15 * 8192) : budget.promptTokens() + 8192);
    }

    private static RowResponse row(int dp, int batch, int prompt, int budget, int chunks, String more) {
        return WireFormat.readStored(
                """
                {"parallel": {"label": "TP=1 | PP=1 | DP=%1$d", "tp": 1, "pp": 1, "dp": %1$d}, "batch_size": %2$d,
                 "concurrency": %3$d, "tokens_per_s": 1.0, "tokens_per_s_per_device": 1.0, "output_length": 100,
                 "effective_input_length": %4$d, "max_batched_tokens": %5$d, "prefill_num_chunks": %6$d,
                 "memory": {"total_gb": 64.0, "weight_gb": 8.0, "kv_cache_gb": 1.0, "available_gb": 1.0}%7$s}""".formatted(dp, batch, batch * dp, prompt, budget, chunks, more), RowResponse.class);
    }
}

package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.EngineDefaults;
import io.throughputoptimizer.api.reading.ExplicitFields;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.job.DefaultsSearch.Beside;
import io.throughputoptimizer.job.DefaultsSearch.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// When the question with an engine's defaults is searched, and when it is left alone.
class DefaultsSearchTest {
    private static final String MEASURED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}}""";
    private static final String NVFP4 = """
            {"devices": ["H100_SXM"], "workload": {"input_length": 1000, "output_length": 500}, "model_config":
             {"model_type": "qwen3", "hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2,
              "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 1000,
              "max_position_embeddings": 2048, "rms_norm_eps": 1e-6,
              "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4"}}}""";

    private final List<SearchQuestion> searched = new ArrayList<>();

    @Test
    void aSearchOfUsualSizeIsMadeTwice() {
        Beside beside = beside(MEASURED, 100, SearchMonitor.SILENT).orElseThrow();

        assertThat(beside.answer()).isNotNull();
        assertThat(searched).hasSize(1);
        assertThat(beside.defaults().cache()).isEqualTo("BF16");
    }

    @Test
    void nothingIsSearchedForARequestThatNamesTheCache() {
        String asked = MEASURED.replace("\"backend\"", "\"kv_cache_dtype\": \"fp8\", \"backend\"");

        assertThat(beside(asked, 100, SearchMonitor.SILENT)).isEmpty();
        assertThat(searched).isEmpty();
    }

    @Test
    void aLargeSearchIsMadeOnce() {
        Beside beside = beside(MEASURED, 50_001, SearchMonitor.SILENT).orElseThrow();

        assertThat(beside.answer()).isNull();
        assertThat(beside.notSearched()).contains("too large");
        assertThat(searched).isEmpty();
    }

    @Test
    void aSecondSearchThatGetsTwiceAsLargeIsGivenUp() {
        DefaultsSearch endless = new DefaultsSearch((_, monitor) -> {
            for (int point = 0; point < 10_001; point++) {
                monitor.pointEvaluated();
                if (monitor.cancelled()) {
                    throw new CancellationException("the search was cancelled");
                }
            }
            return found(10_001);
        });

        assertThat(beside(endless, MEASURED, 4_999, SearchMonitor.SILENT)
                        .orElseThrow()
                        .notSearched())
                .contains("too large");
        assertThat(beside(endless, MEASURED, 5_001, SearchMonitor.SILENT)
                        .orElseThrow()
                        .answer())
                .isNotNull();
    }

    @Test
    void whoCancelsTheSearchCancelsBoth() {
        SearchMonitor cancelled = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return true;
            }
        };
        DefaultsSearch obedient = new DefaultsSearch((_, monitor) -> {
            if (monitor.cancelled()) {
                throw new CancellationException("the search was cancelled");
            }
            return found(1);
        });

        assertThatThrownBy(() -> beside(obedient, MEASURED, 100, cancelled)).isInstanceOf(CancellationException.class);
    }

    /// Work in a format without a rate would take no time.
    @Test
    void whatADeviceHasNoRateForIsNotTold() {
        Beside beside = beside(NVFP4, 100, SearchMonitor.SILENT).orElseThrow();

        assertThat(beside.defaults().weights()).contains("MXFP4");
        assertThat(beside.answer()).isNull();
        assertThat(beside.notSearched()).contains("cannot price it");
    }

    private Optional<Beside> beside(String request, long effort, SearchMonitor monitor) {
        return beside(
                new DefaultsSearch((question, _) -> {
                    searched.add(question);
                    return found(effort);
                }),
                request,
                effort,
                monitor);
    }

    private static Optional<Beside> beside(DefaultsSearch search, String request, long effort, SearchMonitor monitor) {
        ProblemReader problems = new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE);
        SearchQuestion question = problems.accept(WireFormat.read(request, OptimizationRequest.class))
                .problem();
        return EngineDefaults.of(question, ExplicitFields.of(request))
                .map(defaults -> search.searched(question, defaults, found(effort), monitor));
    }

    private static Found found(long effort) {
        return new Found(effort, () -> {
            throw new IllegalStateException("nobody writes this answer");
        });
    }
}

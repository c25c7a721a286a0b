package io.throughputoptimizer.core.model.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.StoredQuantization;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.stored.FoldedNames.NumberRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names of modules in a few expressions name the same modules.
class FoldedNamesTest {
    private static final Map<String, Object> MODEL = Map.ofEntries(
            Map.entry("model_type", "qwen3_moe"),
            Map.entry("hidden_size", 2048),
            Map.entry("num_hidden_layers", 24),
            Map.entry("num_attention_heads", 32),
            Map.entry("num_key_value_heads", 4),
            Map.entry("head_dim", 128),
            Map.entry("num_experts", 16),
            Map.entry("num_experts_per_tok", 8),
            Map.entry("moe_intermediate_size", 768),
            Map.entry("norm_topk_prob", true),
            Map.entry("vocab_size", 151936),
            Map.entry("max_position_embeddings", 40960),
            Map.entry("rms_norm_eps", 1e-06));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void rangesNameTheirNumbersAndNoOthers(int seed) {
        Random random = new Random(seed);
        int most = List.of(9, 12, 60, 100, 128, 300, 999, 1200).get(seed - 1);
        SortedSet<Integer> numbers = IntStream.rangeClosed(0, most)
                .filter(_ -> random.nextInt(10) > seed % 3)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        numbers.add(most);
        Pattern pattern = Pattern.compile(NumberRanges.of(numbers));

        for (int number = 0; number <= 2 * most + 20; number++) {
            assertThat(pattern.matcher(String.valueOf(number)).matches())
                    .as("%d in %s", number, pattern)
                    .isEqualTo(numbers.contains(number));
        }
        assertThat(NumberRanges.of(new TreeSet<>(IntStream.range(0, 128).boxed().toList())))
                .isEqualTo("[0-9]|[1-9]\\d|1[0-1]\\d|12[0-7]");
    }

    @Test
    void expertsOfAllLayersAreOneName() {
        List<String> names = new ArrayList<>(List.of("lm_head"));
        for (int layer = 3; layer < 60; layer++) {
            for (int expert = 0; expert < 128; expert++) {
                names.add("model.layers." + layer + ".mlp.experts." + expert + ".up_proj");
            }
        }

        assertThat(folded(names))
                .containsExactly(
                        "lm_head",
                        "re:(?:.*\\.)?model\\.layers\\.(?:[3-9]|[1-5]\\d)\\.mlp\\.experts\\.(?:[0-9]|[1-9]\\d|1[0-1]\\d|12[0-7])"
                                + "\\.up_proj(?:\\..*)?$");
        names.remove(700);
        assertThat(folded(names)).hasSameElementsAs(names).hasSameSizeAs(names);
        assertThat(folded(List.of("a.1.b", "re:a.2.b", "a.*.c", "a.3.b")))
                .containsExactly("a.1.b", "a.3.b", "re:a.2.b", "a.*.c");
    }

    private static List<Object> folded(List<String> names) {
        Map<?, ?> section = (Map<?, ?>) FoldedNames.of(Map.of("quantization_config", Map.of("ignore", names)))
                .get("quantization_config");
        return List.copyOf(
                (List<?>) Objects.requireNonNull(Objects.requireNonNull(section).get("ignore")));
    }

    /// Random parts of random layers, in each place where tools write names.
    @RepeatedTest(20)
    void aCheckpointIsReadTheSame(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Map<String, Object> config = new LinkedHashMap<>(MODEL);
        Map<String, Object> layers = new LinkedHashMap<>();
        List<String> ignored = new ArrayList<>();
        List<String> parts = List.of(
                "self_attn.q_proj",
                "self_attn.k_proj",
                "self_attn.v_proj",
                "self_attn.o_proj",
                "mlp.experts.0.gate_proj",
                "mlp.experts.0.up_proj",
                "mlp.experts.0.down_proj");
        List<String> algorithms = List.of("FP8", "NVFP4", "MXFP8");
        int step = 1 + random.nextInt(3);
        for (int layer = random.nextInt(4); layer < 24; layer += step) {
            for (String part : parts) {
                String name = "model.layers." + layer + "." + part;
                layers.put(name, Map.of("quant_algo", algorithms.get(part.startsWith("mlp") ? 1 : random.nextInt(3))));
                if (random.nextInt(5) == 0) {
                    ignored.add(name);
                }
            }
        }
        Map<String, Object> section = new LinkedHashMap<>(
                Map.of("quant_algo", "MIXED_PRECISION", "quantized_layers", layers, "exclude_modules", ignored));
        if (random.nextBoolean()) {
            section.put("quant_method", "modelopt");
            config.put("quantization_config", section);
        } else {
            config.put("hf_quant_config", Map.of("producer", Map.of("name", "modelopt"), "quantization", section));
        }

        StoredQuantization read = read(config);

        assertThat(read.obstacle()).isNull();
        assertThat(read(FoldedNames.of(config))).isEqualTo(read);
    }

    private static StoredQuantization read(Map<String, ?> config) {
        return Objects.requireNonNull(
                StoredModel.of("Owner/Name", new HuggingFaceConfig(config)).stored());
    }

    @Test
    void whatIsNoQuantizationStaysAsItIs() {
        Map<String, Object> odd = new LinkedHashMap<>();
        odd.put("quantization_config", "none");
        odd.put("hf_quant_config", List.of(1));
        odd.put("text_config", Map.of("quantization_config", Map.of("ignore", 5, "quantized_layers", "x")));
        odd.put("ignore", List.of("a.1", "a.2", "a.3"));
        odd.put("nothing", null);

        assertThat(FoldedNames.of(odd)).isEqualTo(odd);
    }
}

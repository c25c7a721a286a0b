package io.throughputoptimizer.api.metrics;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.metrics.MetricsVectors.Vector;
import io.throughputoptimizer.api.metrics.ServerCommand.Stated;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/// Commands of servers, held against the executable specification.
class ServerCommandTest {
    private static final Stated UNSTATED = new Stated(1, null, null, null);

    static Stream<Vector> commands() {
        return MetricsVectors.all().filter(vector -> vector.kind().equals("command"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void agreesWithTheSpecification(Vector vector) {
        Stated stated = new Stated(requireNonNullElse(vector.instances(), 1), null, null, null);
        if (vector.expected().has("refused")) {
            var refused = vector.expected().get("refused");
            assertThatThrownBy(() -> ServerCommand.read(vector.body(), stated))
                    .isInstanceOfSatisfying(
                            InvalidRequestException.class,
                            thrown -> assertThat(thrown.violations())
                                    .containsExactly(new Violation(
                                            refused.get("pointer").asString(),
                                            refused.get("message").asString())));
            return;
        }
        var actual = JsonMapper.shared().readTree(WireFormat.write(ServerCommand.read(vector.body(), stated)));

        assertThat(MetricsVectors.differences(vector.expected(), actual)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            vllm serve 'm                          | must be one shell command: no closing quotation.
            vllm serve m --max-num-seqs            | --max-num-seqs: is required to have a value.
            vllm serve m --max-num-seqs many       | max_running must be a whole number, got "many".
            vllm serve m --max-num-seqs 0          | max_running must be from 1 to 1000000, got 0.
            vllm serve m port                      | has "port" where an option is needed.
            vllm serve $MODEL                      | must name a model, got a variable. Put its value in.
            vllm serve --port 1                    | must name a model.
            vllm serve m --gpu-memory-utilization 2| memory share must be above 0 and at most 1, got 2.
            vllm serve m --kv-cache-dtype fp4      | --kv-cache-dtype fp4 is not supported; allowed: auto, bfloat16, fp8, int8.
            vllm serve m -q gguf                   | unknown value "gguf" for --quantization; send scheme with the command.
            vllm serve m --speculative-config ngram| --speculative-config must be JSON.
            vllm serve m --cpu-offload-gb 10       | weights in host memory are not supported.
            vllm serve m --task embed              | models that do not generate are not supported.
            """)
    void rejectsOtherCommands(String command, String message) {
        assertThatThrownBy(() -> ServerCommand.read(command, UNSTATED)).hasMessageContaining(message);
    }

    @Test
    void readsVariablesThatHaveAValue() {
        assertThat(ServerCommand.read("MODEL=Qwen/Qwen3-8B vllm serve \"$MODEL\" # mine", UNSTATED)
                        .modelId())
                .isEqualTo("Qwen/Qwen3-8B");
        assertThat(ServerCommand.read("vllm serve \"${MODEL:-Qwen/Qwen3-8B}\"", UNSTATED)
                        .modelId())
                .isEqualTo("Qwen/Qwen3-8B");
        assertThat(ServerCommand.read("vllm serve \"$MODEL\"", new Stated(1, null, "Qwen/Qwen3-8B", "FP8")))
                .extracting(ServerCommandResponse::modelId, ServerCommandResponse::scheme)
                .containsExactly("Qwen/Qwen3-8B", "FP8");
    }
}

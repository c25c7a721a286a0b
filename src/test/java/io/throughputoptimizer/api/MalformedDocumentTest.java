package io.throughputoptimizer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.EstimateReader;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.RequestEditor;
import jakarta.validation.Validation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Whatever a document looks like, the answer names the place and speaks of the document, not of what reads it.
class MalformedDocumentTest {
    private static final RequestValidator VALIDATOR = new RequestValidator(Validation.buildDefaultValidatorFactory());
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    /// What a request goes through before anything is computed.
    enum Endpoint {
        OPTIMIZATIONS {
            @Override
            void read(WireFormat.Syntax syntax, byte[] document) {
                OptimizationRequest request = WireFormat.read(syntax, document, OptimizationRequest.class);
                VALIDATOR.check(request);
                new ProblemReader(CATALOGS, Long.MAX_VALUE).accept(request);
            }
        },
        ESTIMATES {
            @Override
            void read(WireFormat.Syntax syntax, byte[] document) {
                EstimateRequest request = WireFormat.read(syntax, document, EstimateRequest.class);
                VALIDATOR.check(request);
                new EstimateReader(CATALOGS).read(request);
            }
        };

        abstract void read(WireFormat.Syntax syntax, byte[] document);
    }

    /// A request that is sound but for what it asks.
    record Sound(Endpoint endpoint, String document) {
        @Override
        public String toString() {
            return endpoint.name();
        }
    }

    /// Asks for what cannot be had, so that nothing is accepted by mistake: there is no such model.
    private static final String OPTIMIZATION = """
            {"model_id": "Qwen/Nothing", "devices": ["TEST_DEVICE"], "num_devices": 4, "mode": "pd_ratio",
             "workload": {"length_distribution": {"bins": [{"min_tokens": 0, "max_tokens": 9, "weight": 0.5}]},
                          "output_length": 7, "prefix_cache_hit_rate": 0.2,
                          "image": {"batch_size": 1, "height": 8, "width": 8}},
             "slo": {"ttft_ms": 2000, "tpot_ms": "inf"},
             "quantization": {"linear": "W8A8_DYNAMIC", "attention": "DISABLED", "mxfp4_group_size": 32},
             "search": {"tp_sizes": [1], "ep_sizes": [1], "moe_dp_sizes": [1], "batch_range": [1, 8],
                        "strategy": "binary", "max_batched_tokens": 8192},
             "serving": {"compile": true, "reserved_memory_gb": 9.5, "serving_cost_ms": 0.5, "num_mtp_tokens": 0,
                         "mtp_acceptance_rate": [0.9]},
             "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2},
             "accounting": "steady", "dump_original_results": false}""";

    /// Asks for more devices than its grid holds, and for drafts of a model that makes none.
    private static final String ESTIMATE = """
            {"model_id": "own",
             "model_config": {"model_type": "qwen3", "hidden_size": 64, "intermediate_size": 128,
                              "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
                              "head_dim": 16, "vocab_size": 100, "max_position_embeddings": 1000,
                              "rms_norm_eps": 0.001},
             "num_devices": 4,
             "device_profile": {
               "name": "OWN", "vendor": "own", "source": "none",
               "compute": {"matrix_tflops": {"fp32": 9.5, "bf16": 9.5, "fp16": 9.5, "int8": 9.5, "fp8": 9.5, "fp4": 9.5},
                           "general_tflops": {"fp32": 9.5, "bf16": 9.5, "fp16": 9.5}, "efficiency": 0.5},
               "memory": {"capacity_gb": 64.5, "bandwidth_tb_per_s": 1.5, "efficiency": 0.5},
               "static_costs_us": {"matrix": 0.5, "general": 0.5, "communication": 0.5},
               "interconnect": {"grid": [2], "links": [{"bandwidth_gb_per_s": 50.5, "latency_us": 0.5,
                                                        "efficiency": 0.5, "topology": "CLOS"}]}},
             "parallel": {"tp": 2}, "compile": false, "num_mtp_tokens": 1, "reserved_memory_gb": 9.5,
             "pass": {"phase": "prefill", "requests": [{"count": 2, "query_len": 5, "seq_len": 5}]}}""";

    private static final Pattern JARGON = Pattern.compile(
            "(?i)jackson|snake|java|tools\\.|com\\.|org\\.|exception|\\bint\\b|integer|(?<!multi-)\\btoken\\b|feature|parser"
                    + "|deserializ|serializ|constraint|coerc|\\bclass\\b|\\bdouble\\b|ctrl-char|start marker|bigint"
                    + "|property|getMax|stream|code point|hibernate|spring|tomcat|mapping|scalar");

    private static final List<String> WRONG_VALUES = List.of(
            "null",
            "true",
            "-1",
            "0",
            "7.5",
            "1e400",
            "99999999999999999999",
            "\"\"",
            "\"text\"",
            "[]",
            "[null]",
            "[[]]",
            "{}",
            "{\"bogus\": 1}",
            "[{\"bogus\": 1}]",
            ".inf",
            "NaN",
            "~",
            "'quoted'",
            "undefined");

    static Stream<Sound> documents() {
        return Stream.of(new Sound(Endpoint.OPTIMIZATIONS, OPTIMIZATION), new Sound(Endpoint.ESTIMATES, ESTIMATE));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aDocumentCutAnywhereIsRefusedInPlainWords(Sound sound) {
        String whole = sound.document().replaceAll("\\s+", " ");

        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);

            assertPlain(sound.endpoint(), cut);
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aDocumentWithAStrayCharacterIsRefusedInPlainWords(Sound sound) {
        String whole = sound.document().replaceAll("\\s+", " ");
        String strays = "}]{[,:\"'\\#&*!|>%@`\u0001\u0007\u2028-?";

        for (int place = 1; place < whole.length(); place += 3) {
            char stray = strays.charAt(place % strays.length());
            String broken = whole.substring(0, place) + stray + whole.substring(place);

            assertPlain(sound.endpoint(), broken);
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyMemberOfAWrongTypeIsRefusedInPlainWords(Sound sound) {
        for (String pointer : pointers(sound.document())) {
            for (String value : WRONG_VALUES) {
                String broken = RequestEditor.with(sound.document(), pointer, value);

                assertPlain(sound.endpoint(), broken);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aListWhereAnythingElseIsNeededIsRefusedAtItsPlace(Sound sound) {
        for (String pointer : pointers(sound.document())) {
            String broken = RequestEditor.with(sound.document(), pointer, "[[[7.25]]]");

            assertThat(pointers(sound.endpoint(), broken)).as(pointer).anyMatch(found -> found.startsWith(pointer));
        }
    }

    @Test
    void textsForNumbersAndUnknownMembersOfAnInlineProfileAreRefusedAtTheirPlace() {
        for (String pointer : pointers(ESTIMATE)) {
            boolean ofProfile = pointer.startsWith("/device_profile/");
            boolean text = pointer.matches(".*/(name|vendor|source)");
            if (ofProfile && !text) {
                String broken = RequestEditor.with(ESTIMATE, pointer, "\"2\"");

                assertThat(pointers(Endpoint.ESTIMATES, broken)).containsExactly(pointer);
            }
        }
        assertThat(pointers(Endpoint.ESTIMATES, RequestEditor.with(ESTIMATE, "/device_profile/memory/bogus", "1")))
                .containsExactly("/device_profile/memory/bogus");
        assertThat(pointers(
                        Endpoint.ESTIMATES, RequestEditor.with(ESTIMATE, "/device_profile/interconnect/grid/0", "2.5")))
                .containsExactly("/device_profile/interconnect/grid/0");
        assertThat(pointers(
                        Endpoint.ESTIMATES, RequestEditor.with(ESTIMATE, "/device_profile/memory/efficiency", "null")))
                .containsExactly("/device_profile/memory/efficiency");
        assertThat(pointers(Endpoint.ESTIMATES, RequestEditor.with(ESTIMATE, "/device_profile/name", "7")))
                .containsExactly("/device_profile/name");
    }

    @Test
    void aMemberIsNotNamedTwice() {
        String request = RequestEditor.with(ESTIMATE, "/device_profile/interconnect/grid/0", "1");

        assertThat(refused(Endpoint.ESTIMATES, WireFormat.Syntax.JSON, request)
                        .getFirst()
                        .message())
                .isEqualTo("must be a whole number of at least 2, got 1");
    }

    private static List<String> pointers(Endpoint endpoint, String document) {
        return refused(endpoint, WireFormat.Syntax.JSON, document).stream()
                .map(Violation::pointer)
                .toList();
    }

    private static List<Violation> refused(Endpoint endpoint, WireFormat.Syntax syntax, String document) {
        return catchThrowableOfType(
                        InvalidRequestException.class,
                        () -> endpoint.read(syntax, document.getBytes(StandardCharsets.UTF_8)))
                .violations();
    }

    /// Of every member and element, parents first.
    private static List<String> pointers(String document) {
        List<String> pointers = new ArrayList<>();
        collect("", JsonMapper.shared().readTree(document), pointers);
        return pointers;
    }

    private static void collect(String pointer, JsonNode node, List<String> pointers) {
        if (!pointer.isEmpty()) {
            pointers.add(pointer);
        }
        node.properties().forEach(member -> collect(pointer + "/" + member.getKey(), member.getValue(), pointers));
        if (node.isArray() && !node.get(0).isObject()) {
            pointers.add(pointer + "/0");
        }
    }

    private static void assertPlain(Endpoint endpoint, String document) {
        for (WireFormat.Syntax syntax : WireFormat.Syntax.values()) {
            List<Violation> violations = refused(endpoint, syntax, document);
            assertThat(violations).as("%s %s", syntax, document).isNotEmpty().allSatisfy(violation -> {
                String member = violation.pointer().replaceFirst(".*/", "");
                assertThat(violation.message()).doesNotStartWith(member.isEmpty() ? " " : member + " ");
                String said =
                        violation.message().replaceFirst("(?s), near .*", "").replaceAll("\"[^\"]*\"", "");
                assertThat(said).doesNotContainPattern(JARGON);
            });
        }
    }
}

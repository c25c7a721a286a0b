package io.throughputoptimizer.core.memory;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.catalog.CatalogReader;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.StartupLogs;
import io.throughputoptimizer.core.accuracy.StartupLog;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.memory.EngineMemory.BandClass;
import io.throughputoptimizer.core.memory.EngineMemory.Mxfp4Kernel;
import io.throughputoptimizer.core.model.ModelDocument;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The memory law against its vectors, and against start-up logs of public servers.
class RankMemoryTest {
    private static final Catalogs CATALOGS = CatalogReader.read(null, null);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonNode VECTORS = read("vectors.json");
    private static final Map<String, ModelDocument> CONFIGS = StartupLogs.configs();
    private static final List<StartupLog> LOGS = StartupLogs.read(CATALOGS);
    private static final double TOLERANCE = 1e-9;
    private static final int OFFLINE_TOKENS = 16_384;

    record Case(String name, String config, Map<String, Object> options, JsonNode expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static JsonNode read(String name) {
        try (InputStream file = resource(name)) {
            return JSON.readTree(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InputStream resource(String name) {
        return requireNonNull(RankMemoryTest.class.getResourceAsStream("/memory/" + name));
    }

    static Stream<Case> vectors() {
        return VECTORS.required("cases")
                .valueStream()
                .map(one -> new Case(
                        one.required("name").asString(),
                        one.required("config").asString(),
                        JSON.convertValue(one.required("options"), new TypeReference<>() {}),
                        one.required("expected")));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void agreesWithItsVectors(Case vector) {
        RankMemory memory = memory(vector.config, vector.options);

        vector.expected.properties().forEach(entry -> {
            JsonNode expected = entry.getValue();
            Object found = value(memory, entry.getKey(), vector.options);
            if (expected.isNumber()) {
                double number = expected.asDouble();
                assertThat(((Number) found).doubleValue())
                        .as(entry.getKey())
                        .isCloseTo(number, within(TOLERANCE * Math.max(1, Math.abs(number))));
            } else {
                assertThat(String.valueOf(found)).as(entry.getKey()).isEqualTo(expected.asString());
            }
        });
    }

    private static Object value(RankMemory memory, String path, Map<String, Object> options) {
        double length = options.containsKey("length")
                ? ((Number) options.get("length")).doubleValue()
                : memory.rank().context();
        double pool = memory.poolGib() * RankMemory.GIB;
        return switch (path) {
            case "weights_gib" -> memory.weightsGib();
            case "parts.share" -> memory.share();
            case "parts.seen" -> memory.rank().device().seenGib();
            case "parts.activation" -> memory.activationGib();
            case "parts.other" -> memory.otherGib();
            case "parts.graphs" -> memory.graphsGib();
            case "parts.cache", "kv_gib" -> memory.poolGib();
            case "max_num_seqs" -> memory.rank().sequences();
            case "token_budget" -> memory.rank().tokenBudget();
            case "kv_tokens", "cache.tokens_printed" -> memory.printedTokens();
            case "cache.requests_admitted" -> memory.requestsAdmitted(length);
            case "cache.requests_held" -> memory.requestsHeld(length);
            case "cache.bytes_per_request" -> bytesOfRequest(memory, length);
            case "cache.starts" -> memory.poolGib() > 0 && memory.cache().starts(pool);
            case "cache.blocks" -> blocks(memory.cache(), pool);
            case "cache.groups" -> ((BlockPool) memory.cache()).groups().size();
            case "cache.block_bytes" -> ((BlockPool) memory.cache()).blockBytes();
            case "cache.concurrency_printed" ->
                memory.requestsAdmitted(memory.rank().context());
            case "cache.bytes_per_token" -> ((TokenPool) memory.cache()).tokenBytes();
            case "class" -> bandName(memory);
            default ->
                path.startsWith("weights.")
                        ? requireNonNullElse(
                                memory.weights()
                                        .get(WeightGroup.valueOf(
                                                path.substring(8).toUpperCase(Locale.ROOT))),
                                0.0)
                        : path;
        };
    }

    private static double blocks(KvCache cache, double pool) {
        return switch (cache) {
            case BlockPool blocks -> blocks.blocks(pool);
            case TokenPool tokens -> tokens.usableBytes(pool) / tokens.tokenBytes() / tokens.blockTokens();
            default -> throw new IllegalArgumentException(cache.toString());
        };
    }

    /// The vectors count tokens of SGLang alone, without its states.
    private static double bytesOfRequest(RankMemory memory, double length) {
        return memory.cache() instanceof TokenPool pool && pool.stateBytes() > 0
                ? pool.tokenBytes() * length
                : memory.cache().heldBytes(length);
    }

    private static String bandName(RankMemory memory) {
        String backend = memory.rank().engine().backend();
        return switch (memory.bandClass()) {
            case ALL -> backend;
            case ALONE -> "vllm-alone";
            case SEVERAL -> "vllm-linked";
            case RECURRENT -> "vllm-recurrent";
            case COMPRESSED -> "vllm-v4";
            case UNIFIED -> "vllm-unified";
            case OLD -> "vllm-old";
        };
    }

    /// Errors of the cache, as a share of what the log printed, by class.
    private static Map<String, List<Double>> errors() {
        Map<String, List<Double>> errors = new HashMap<>();
        for (StartupLog log : LOGS) {
            log.errorPercent()
                    .ifPresent(error -> errors.computeIfAbsent(bandName(log.memory()), _ -> new ArrayList<>())
                            .add(Math.abs(error) / 100));
        }
        return errors;
    }

    @Test
    void predictsTheCacheOfLogsOfCurrentVersionsToOnePercentInTheMedian() {
        Map<String, List<Double>> errors = errors();

        assertThat(quantile(errors.get("vllm-alone"), 0.5)).isLessThan(0.003);
        assertThat(quantile(errors.get("vllm-linked"), 0.5)).isLessThan(0.005);
        List<Double> all = errors.values().stream().flatMap(Collection::stream).toList();
        assertThat(quantile(all, 0.5)).isLessThan(0.0035);
        assertThat(quantile(all, 0.9)).isLessThan(0.06);
    }

    @Test
    void predictsTheWeightsOfLogs() {
        List<Double> errors = LOGS.stream()
                .flatMapToDouble(log -> log.weightsErrorPercent().stream())
                .mapToObj(error -> Math.abs(error) / 100)
                .toList();

        assertThat(quantile(errors, 0.5)).isLessThan(0.0005);
        assertThat(quantile(errors, 0.9)).isLessThan(0.006);
    }

    @Test
    void saysNoWhereALogSaysThatTheServerDidNotStart() {
        assertThat(LOGS)
                .filteredOn(log -> log.printedFigure() < 0)
                .allSatisfy(log -> assertThat(log.memory().poolGib()).isNegative());
    }

    private static double quantile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(Math.min((int) (share * sorted.size()), sorted.size() - 1));
    }

    private static RankMemory memory(String config, Map<String, Object> options) {
        Options of = new Options(options);
        EngineMemory engine = requireNonNull(CATALOGS.engines().get(of.text("engine", "vllm")))
                .memory();
        DeviceMemory device = engine.device(of.text("device", "H100_SXM"), 0);
        if (options.containsKey("seen_gib")) {
            device = device.withSeen(((Number) options.get("seen_gib")).doubleValue());
        }
        String scheme = of.text("scheme", null);
        return RankMemory.of(new ServedRank(
                MemoryModel.of(requireNonNull(CONFIGS.get(config))),
                engine,
                device,
                of.whole("tp", 1),
                of.whole("dp", 1),
                of.whole("ep", 1),
                scheme == null ? null : CalibratedMemory.formats(Scheme.valueOf(scheme)),
                of.text("kv_cache", "bf16").equals("fp8") ? 1 : 2,
                0,
                of.whole("draft_tokens", 0),
                settings(of)));
    }

    private static MemorySettings settings(Options of) {
        Integer tokens = of.whole("token_budget", null);
        Integer context = of.whole("max_model_len", null);
        String kernel = of.text("mxfp4_kernel", null);
        return new MemorySettings(
                of.text("version", null),
                of.number("memory_share"),
                of.whole("max_num_seqs", null),
                of.is("offline", false) ? Integer.valueOf(OFFLINE_TOKENS) : tokens,
                context == null ? null : Long.valueOf(context),
                of.is("cuda_graphs", true),
                of.is("vision", true),
                kernel == null ? null : Mxfp4Kernel.valueOf(kernel.toUpperCase(Locale.ROOT)),
                of.is("prefix_caching", true),
                of.number("kv_gib"),
                null);
    }

    private record Options(Map<String, Object> given) {
        @Nullable
        String text(String name, @Nullable String usual) {
            return (String) given.getOrDefault(name, usual);
        }

        @Nullable
        Integer whole(String name, @Nullable Integer usual) {
            return given.containsKey(name) ? Integer.valueOf(((Number) given.get(name)).intValue()) : usual;
        }

        @Nullable
        Double number(String name) {
            return given.containsKey(name) ? Double.valueOf(((Number) given.get(name)).doubleValue()) : null;
        }

        boolean is(String name, boolean usual) {
            return (boolean) given.getOrDefault(name, usual);
        }
    }

    @Test
    void namesEveryClassOfBand() {
        assertThat(requireNonNull(CATALOGS.engines().get("vllm"))
                        .memory()
                        .bands()
                        .keySet())
                .containsExactlyInAnyOrder(
                        BandClass.ALONE,
                        BandClass.SEVERAL,
                        BandClass.RECURRENT,
                        BandClass.COMPRESSED,
                        BandClass.UNIFIED,
                        BandClass.OLD);
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.LaunchResponse.MeasureResponse;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.EngineOptions.Check;
import io.throughputoptimizer.catalog.EngineOptions.Kept;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import io.throughputoptimizer.launch.LaunchPlan.Load;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Measurements of a plan that calibrate the next one: one server at its lowest, a middle and its highest
/// concurrency, and the upload of the results.
final class Measuring {
    private static final double WAVES = 10;

    private final OptimizationRequest request;
    private final LaunchPlan plan;
    private final Network network;
    private final String engine;
    private final EngineOptions options;
    private final Instance instance;
    private final int servers;

    /// @param engine name of `options`
    /// @param servers servers per instance
    Measuring(
            OptimizationRequest request,
            LaunchPlan plan,
            Network network,
            String engine,
            EngineOptions options,
            int servers) {
        this.request = request;
        this.plan = plan;
        this.network = network;
        this.engine = engine;
        this.options = options;
        this.instance = plan.instances().getFirst();
        this.servers = servers;
    }

    /// Returns the measurements, or null if rows have no equivalent of the plan: single-phase instances, prefix
    /// cache hits, images, draft tokens, or one of several quantizations.
    @Nullable
    MeasureResponse response() {
        Optional<Check> tool =
                options.checks().stream().filter(check -> check.kept() != null).findFirst();
        boolean comparable = !plan.isSplit()
                && instance.role() == Role.AGGREGATION
                && plan.served().prefixShare() == 0
                && !plan.load().images()
                && instance.precision().draftTokens() == 0
                && request.quantization().isOne();
        if (!comparable || tool.isEmpty()) {
            return null;
        }
        Check check = tool.get();
        List<Long> concurrencies = concurrencies();
        return new MeasureResponse(
                check.tool(),
                concurrencies,
                network.port(0),
                concurrencies.stream().map(requests -> command(check, requests)).toList(),
                bring(Objects.requireNonNull(check.kept())),
                isLearntFrom() ? next() : null);
    }

    /// Returns the data parallel ranks of one server.
    private int ranks() {
        return instance.layout().dp() / servers;
    }

    /// Returns the lowest concurrency with a request on each data parallel rank, the highest of the plan, and
    /// their geometric mean.
    private List<Long> concurrencies() {
        long ofRank = Math.max(1, instance.concurrency() / instance.layout().dp());
        return Stream.of(1L, Math.round(Math.sqrt(ofRank)), ofRank)
                .distinct()
                .map(requests -> requests * ranks())
                .toList();
    }

    private String command(Check check, long concurrency) {
        Load load = plan.load();
        double waves = load.requestsPerS() == null ? (double) load.prompts() / load.concurrency() : WAVES;
        return new Benchmark(
                        plan,
                        network,
                        new Load(
                                concurrency,
                                null,
                                Math.max(1, Math.round(waves * concurrency)),
                                load.least(),
                                load.inputs(),
                                load.outputs(),
                                0,
                                false,
                                1))
                .kept(check);
    }

    private boolean isLearntFrom() {
        return request.isCalibrated() && !engine.equals("vllm-ascend");
    }

    /// Returns the upload body in a double-quoted shell string, in which `$` marks values that the caller fills
    /// in.
    private String bring(Kept kept) {
        Map<String, String> said = new LinkedHashMap<>();
        said.put("model_id", plain(plan.served().model()));
        said.put("served_model", "$MODEL");
        said.put("device", plain(instance.device().name()));
        String device = instance.device().name();
        if (request.isCalibrated()) {
            said.put("scheme", request.quantization().words(device));
            EngineRequest asked = request.engine();
            if (asked != null && asked.kvCacheDtype() != null) {
                said.put("kv_cache_dtype", WireFormat.name(asked.kvCacheDtype()));
            }
        } else {
            said.put("linear", request.quantization().words(device));
            said.put(
                    "attention",
                    Objects.requireNonNull(request.quantization().attention())
                            .getFirst()
                            .name());
        }
        said.put("backend", engine);
        said.put("version", version());
        Layout layout = instance.layout();
        said.put("tp", Integer.toString(layout.tp()));
        said.put("dp", Integer.toString(ranks()));
        if (layout.routed()) {
            said.put("ep", Integer.toString(layout.ep()));
        }
        return "cat " + kept.files()
                + " | curl -s --data-binary @- -H 'Content-Type: application/json' ${KEY:+-H \"Authorization: Bearer $KEY\"} \""
                + "${PLANNER:-http://localhost:8080}/api/v1/measurements/from-file?"
                + said.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining("&"))
                + "\"";
    }

    private static String plain(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%2F", "/");
    }

    /// Returns the engine version of the plan, which can differ from the running one.
    private String version() {
        EngineRequest asked = request.engine();
        return asked == null || asked.version() == null
                ? "${VERSION:?the version of " + options.title() + " that was measured}"
                : "${VERSION:-" + plain(asked.version()) + "}";
    }

    private String next() {
        EngineRequest asked = request.engine();
        String version = asked == null || asked.version() == null ? "VERSION" : asked.version();
        return "\"engine\": {\"backend\": " + WireFormat.write(engine) + ", \"version\": " + WireFormat.write(version)
                + "}, \"feedback\": {\"measurements\": [\"ID\"]}";
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.api.result.LaunchResponse.MeasureResponse;
import io.throughputoptimizer.api.result.LaunchResponse.OptionResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.LaunchOption;
import io.throughputoptimizer.launch.LaunchPlan.AnalyticMemory;
import io.throughputoptimizer.launch.LaunchPlan.Device;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import io.throughputoptimizer.launch.Settings.Setting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Generates the commands that start a row of a result on a serving engine.
public final class Launcher {
    static final String CONTINUED = " \\\n  ";
    /// Devices of a typical server.
    private static final int DEVICES_OF_A_NODE = 8;

    /// Maximum number of rows to try for one that the engine can run.
    private static final int MOST_TRIED = 20;

    private final Catalogs catalogs;
    private final String name;
    private final EngineOptions engine;
    private final EngineRules rules;

    /// @param engine name of the engine
    /// @throws IllegalArgumentException if the catalog has no such engine
    public Launcher(Catalogs catalogs, String engine) {
        this.catalogs = catalogs;
        this.name = engine;
        this.engine = Objects.requireNonNull(catalogs.launch().get(engine), engine);
        this.rules = EngineRules.of(engine);
    }

    /// A row to start, with options.
    ///
    /// @param device kind of device in a result with several; null for the first that has the row
    /// @param rank place of the row in its table, from 1
    /// @param context maximum context length of the servers; null for the requests of the result
    public record Asked(
            @Nullable String device, int rank, @Nullable ContextLengthOption context) {
        LaunchPlan plan(Catalogs catalogs, OptimizationRequest request, ResultResponse result) {
            LaunchPlan plan = new PlanReader(catalogs, request, result, device).read(rank);
            return context == null ? plan : context.of(plan);
        }
    }

    /// @param checked true to include benchmarks
    /// @throws CannotLaunchException if the engine cannot run the row, or it does not exist
    public LaunchResponse launch(OptimizationRequest request, ResultResponse result, Asked asked, boolean checked) {
        return launch(request, asked.plan(catalogs, request, result), asked.rank, checked);
    }

    /// Starts a row like [#launch], for callers who do not see the other rows.
    ///
    /// @throws CannotLaunchException if the engine cannot run the row; names one that it can run
    public LaunchResponse launchOrAdvise(
            OptimizationRequest request, ResultResponse result, Asked asked, boolean checked) {
        try {
            return launch(request, result, asked, checked);
        } catch (CannotLaunchException e) {
            if (e.subject() != CannotLaunchException.Subject.ENGINE) {
                throw e;
            }
            throw IntStream.rangeClosed(1, MOST_TRIED)
                    .filter(rank -> canLaunch(request, result, new Asked(asked.device, rank, asked.context)))
                    .mapToObj(rank -> new CannotLaunchException(
                            e.subject(), e.getMessage() + ". Set rank to " + rank + ", which it can run"))
                    .findFirst()
                    .orElse(e);
        }
    }

    private boolean canLaunch(OptimizationRequest request, ResultResponse result, Asked asked) {
        try {
            launch(request, result, asked, false);
            return true;
        } catch (CannotLaunchException _) {
            return false;
        }
    }

    /// Returns the servers as Kubernetes objects or chart values, in YAML.
    ///
    /// @param kind kind of the objects
    /// @param devicesPerNode devices per node of the cluster
    /// @throws CannotLaunchException if the engine cannot run the row or has no container, a server does not
    ///     fit on a node, or the row does not exist
    public String manifests(
            OptimizationRequest request, ResultResponse result, Asked asked, ManifestKind kind, int devicesPerNode) {
        LaunchPlan plan = asked.plan(catalogs, request, result);
        LaunchResponse launch = launch(request, plan, asked.rank, false);
        return new KubernetesManifests(plan, engine, kind, devicesPerNode).of(launch);
    }

    LaunchResponse launch(OptimizationRequest request, LaunchPlan plan, int rank, boolean checked) {
        plan.instances().forEach(instance -> requireDevice(instance.device()));
        Network network = new Network(
                engine,
                plan.instances().stream()
                        .map(instance -> instance.count() * rules.servers(instance.layout()))
                        .toList());
        Set<String> notes = new LinkedHashSet<>(PlanNotes.of(catalogs, request, plan, name));
        Set<String> unsure = new LinkedHashSet<>();
        Set<String> lacking = new LinkedHashSet<>(plan.unsaid());
        List<ServerResponse> servers = new ArrayList<>();
        for (int kind = 0; kind < plan.instances().size(); kind++) {
            Settings settings =
                    settings(plan, ofEngine(request, plan.instances().get(kind)));
            if (network.tellsPorts() && engine.form() == EngineOptions.Form.JSON) {
                settings.set(engine.portOption(), Map.of("port", network.port(kind)));
            }
            notes.addAll(settings.notes());
            unsure.addAll(settings.unsure());
            lacking.addAll(settings.withoutOption());
            servers.add(server(plan, kind, network, settings));
        }
        notes.addAll(PlanNotes.of(network, engine));
        EngineOptions.Router router = network.router();
        Benchmark benchmark = new Benchmark(plan, network);
        if (checked && benchmark.isDecodeAlone()) {
            notes.add("decode instances cannot be checked alone: prefill instances feed them");
        }
        String words = plan.quantization();
        return new LaunchResponse(
                name,
                engine.version(),
                plan.devices(),
                rank,
                plan.served().model() + (words == null ? "" : ", " + words),
                checkpoint(plan),
                servers,
                router == null ? null : network.command(router),
                router == null ? null : network.file(router),
                router == null ? null : (Integer) network.asked(),
                List.copyOf(notes),
                List.copyOf(unsure),
                List.copyOf(lacking),
                checked && !benchmark.isDecodeAlone() ? benchmark.words() : null,
                checked && !benchmark.isDecodeAlone() ? benchmark.prompts(engine) : null,
                checked ? benchmark.of(engine.checks()) : null,
                checked ? measure(request, plan, network) : null);
    }

    private @Nullable MeasureResponse measure(OptimizationRequest request, LaunchPlan plan, Network network) {
        int servers = rules.servers(plan.instances().getFirst().layout());
        return new Measuring(request, plan, network, name, engine, servers).response();
    }

    private void requireDevice(Device device) {
        boolean known = catalogs.launch().values().stream()
                .anyMatch(other -> other.vendors().contains(device.vendor()));
        if (known && !engine.vendors().contains(device.vendor())) {
            throw new CannotLaunchException(
                    CannotLaunchException.Subject.ENGINE,
                    engine.title() + " does not run on " + device.name() + ": it runs on devices of "
                            + String.join(" and ", engine.vendors()));
        }
    }

    /// Returns the instance, without its memory if that applies to another engine.
    private Instance ofEngine(OptimizationRequest request, Instance instance) {
        return instance.memory() instanceof AnalyticMemory
                        || PlanNotes.priced(request, instance.device().name()).stream()
                                .allMatch(name::equals)
                ? instance
                : instance.withoutMemory();
    }

    private Settings settings(LaunchPlan plan, Instance instance) {
        Served served = plan.served();
        Device device = instance.device();
        Settings settings =
                new Settings(engine, device.vendor()).set(LaunchOption.MODEL).set(LaunchOption.DEVICE);
        rules.tell(instance, served, settings);
        quantize(instance.precision(), settings);
        if (served.prefixShare() == 0) {
            settings.set(LaunchOption.NO_PREFIX_CACHE);
            if (instance.memory() instanceof LaunchMemory memory && memory.hasStates()) {
                settings.noting("the memory counts with prefix caching: without, a request keeps one state less");
            }
        } else {
            settings.lacking("the share of prompts that the prefix cache holds, " + served.prefixShare()
                    + ": it is a property of the load");
        }
        if (instance.memory() instanceof LaunchMemory memory) {
            noteVersion(memory, settings);
        }
        if (instance.precision().draftTokens() > 0) {
            settings.lacking("how many draft tokens are accepted: it is a property of the load");
        }
        if (served.isMixed()) {
            settings.lacking("the mix of prompt lengths: it is a property of the load");
        }
        if (served.mixesOutputs()) {
            settings.lacking("the mix of output lengths: it is a property of the load");
        }
        if (!instance.budget().asModelled()) {
            settings.lacking("that one rank prefills a piece of a prompt while the others have none, as accounting"
                    + " documented counts: every rank will prefill at once, which should be faster");
        }
        assign(plan, instance, settings);
        if (!engine.vendors().contains(device.vendor())) {
            settings.noting(device.name() + " is no device of " + String.join(" or ", engine.vendors())
                    + ": whether the engine runs on it is not known");
        }
        if (instance.layout().devices() / rules.servers(instance.layout()) > DEVICES_OF_A_NODE) {
            settings.noting(engine.nodes());
        }
        return settings;
    }

    /// Adds a note if the memory was computed for another engine version, whose memory and options can differ.
    private void noteVersion(LaunchMemory memory, Settings settings) {
        String stated = memory.stated().version();
        if (stated != null && !engine.version().startsWith(memory.parts().engineVersion() + ".")) {
            settings.noting("the memory is that of " + engine.title() + " "
                    + memory.parts().engineVersion() + "; options are called as in " + engine.version());
        }
    }

    private static void quantize(Precision precision, Settings settings) {
        if (precision.weights() != null) {
            settings.set(precision.weights());
        }
        if (precision.cache() != null) {
            settings.set(precision.cache());
        }
    }

    /// Sets the role of an instance in a disaggregated deployment.
    private void assign(LaunchPlan plan, Instance instance, Settings settings) {
        if (instance.role() == Role.AGGREGATION) {
            return;
        }
        Instance prefill = of(plan, Role.PREFILL, instance);
        Instance decode = of(plan, Role.DECODE, instance);
        settings.environment(engine.rolesEnvironment());
        settings.set(
                instance.role() == Role.PREFILL ? LaunchOption.PREFILL_ROLE : LaunchOption.DECODE_ROLE,
                Map.of(
                        "prefill_tp", prefill.layout().tp(),
                        "prefill_dp", prefill.layout().dp(),
                        "decode_tp", decode.layout().tp(),
                        "decode_dp", decode.layout().dp(),
                        "length", plan.served().requestTokens()));
        if (!plan.isSplit()) {
            settings.noting("the row is half of a split deployment: the other half is not part of this result");
        }
    }

    private static Instance of(LaunchPlan plan, Role role, Instance otherwise) {
        return plan.instances().stream()
                .filter(instance -> instance.role() == role)
                .findFirst()
                .orElse(otherwise);
    }

    private ServerResponse server(LaunchPlan plan, int kind, Network network, Settings settings) {
        Instance instance = plan.instances().get(kind);
        String role = instance.role().name().toLowerCase(Locale.ROOT);
        String file = plan.isSplit() ? role : "plan";
        FileResponse written = switch (engine.form()) {
            case ARGUMENTS -> null;
            case YAML -> new FileResponse(file + ".yaml", ConfigFile.of(settings.settings(), WireFormat.Syntax.YAML));
            case JSON -> new FileResponse(file + ".json", ConfigFile.of(settings.settings(), WireFormat.Syntax.JSON));
        };
        int servers = rules.servers(instance.layout());
        return new ServerResponse(
                role,
                instance.device().name(),
                instance.layout().label(),
                instance.layout().devices() / servers,
                instance.count() * servers,
                network.port(kind),
                settings.environment(),
                command(kind, network, settings, written),
                written,
                settings.settings().stream()
                        .map(setting -> new OptionResponse(setting.text(), setting.source()))
                        .toList());
    }

    private String command(int kind, Network network, Settings settings, @Nullable FileResponse written) {
        String program = engine.program().texts().getFirst();
        if (written != null) {
            return Settings.filled(program, Map.of("file", written.name(), "port", network.written(kind)));
        }
        List<String> lines = new ArrayList<>(List.of(program));
        settings.settings().stream().map(Setting::text).forEach(lines::add);
        if (network.tellsPorts()) {
            engine.portOption()
                    .texts()
                    .forEach(text -> lines.add(Settings.filled(text, Map.of("port", network.written(kind)))));
        }
        return String.join(CONTINUED, lines);
    }

    private static String checkpoint(LaunchPlan plan) {
        String model = plan.served().model();
        String words = plan.quantization();
        return words == null
                ? "MODEL=\"${MODEL:-" + model + "}\""
                : "MODEL=\"${MODEL:?a checkpoint of " + model + " quantized as " + words + "}\"";
    }
}

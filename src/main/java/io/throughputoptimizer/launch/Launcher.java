package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.CheckResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.api.result.LaunchResponse.OptionResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.LaunchOption;
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
import org.jspecify.annotations.Nullable;

/// Writes the commands that start a row of a result on a serving engine.
public final class Launcher {
    private static final String CONTINUED = " \\\n  ";
    /// Devices that a usual server holds.
    private static final int DEVICES_OF_A_NODE = 8;

    private final Catalogs catalogs;
    private final String name;
    private final EngineOptions engine;
    private final EngineRules rules;

    /// @param engine its name
    /// @throws IllegalArgumentException if the catalogue has no such engine
    public Launcher(Catalogs catalogs, String engine) {
        this.catalogs = catalogs;
        this.name = engine;
        this.engine = Objects.requireNonNull(catalogs.launch().get(engine), engine);
        this.rules = EngineRules.of(engine);
    }

    /// @param device kind of device, of a result with several; absent for the first
    /// @param rank place of the row in its table, from 1
    /// @param checked whether benchmarks belong to it
    /// @throws CannotLaunchException if the engine cannot run the row, or there is none
    public LaunchResponse launch(
            OptimizationRequest request, ResultResponse result, @Nullable String device, int rank, boolean checked) {
        LaunchPlan plan =
                new PlanReader(catalogs, request, result, device == null ? deviceOf(result, rank) : device).read(rank);
        requireDevice(plan.served());
        Set<String> notes = new LinkedHashSet<>();
        Set<String> unsure = new LinkedHashSet<>();
        Set<String> lacking = new LinkedHashSet<>(plan.unsaid());
        List<ServerResponse> servers = new ArrayList<>();
        for (Instance instance : plan.instances()) {
            Settings settings = settings(plan, instance);
            notes.addAll(settings.notes());
            unsure.addAll(settings.unsure());
            lacking.addAll(settings.withoutOption());
            servers.add(server(plan, instance, settings));
        }
        return new LaunchResponse(
                name,
                engine.version(),
                plan.served().device(),
                rank,
                plan.served().model()
                        + (plan.precision().words() == null
                                ? ""
                                : ", " + plan.precision().words()),
                checkpoint(plan),
                servers,
                router(plan, notes),
                List.copyOf(notes),
                List.copyOf(unsure),
                List.copyOf(lacking),
                checked ? checks(plan) : null);
    }

    /// Deployments of all kinds of device are in one ranking.
    private static @Nullable String deviceOf(ResultResponse result, int rank) {
        CapacityResponse capacity = result.capacity();
        return capacity == null
                ? null
                : capacity.rows().stream()
                        .filter(row -> Integer.valueOf(rank).equals(row.rank()))
                        .map(DeploymentResponse::device)
                        .findFirst()
                        .orElse(null);
    }

    private void requireDevice(Served served) {
        boolean known = catalogs.launch().values().stream()
                .anyMatch(other -> other.vendors().contains(served.vendor()));
        if (known && !engine.vendors().contains(served.vendor())) {
            throw new CannotLaunchException(
                    CannotLaunchException.Subject.ENGINE,
                    engine.title() + " does not run on " + served.device() + ": it runs on devices of "
                            + String.join(" and ", engine.vendors()));
        }
    }

    private Settings settings(LaunchPlan plan, Instance instance) {
        Served served = plan.served();
        Settings settings =
                new Settings(engine, served.vendor()).set(LaunchOption.MODEL).set(LaunchOption.DEVICE);
        rules.tell(instance, served, plan.precision(), settings);
        quantize(plan.precision(), settings);
        if (served.prefixShare() == 0) {
            settings.set(LaunchOption.NO_PREFIX_CACHE);
        } else {
            settings.lacking("the share of prompts that the prefix cache holds, " + served.prefixShare()
                    + ": it is a property of the load");
        }
        if (plan.precision().draftTokens() > 0) {
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
        if (!engine.vendors().contains(served.vendor())) {
            settings.noting(served.device() + " is no device of " + String.join(" or ", engine.vendors())
                    + ": whether the engine runs on it is not known");
        }
        if (instance.layout().devices() / rules.servers(instance.layout()) > DEVICES_OF_A_NODE) {
            settings.noting(engine.nodes());
        }
        return settings;
    }

    private static void quantize(Precision precision, Settings settings) {
        if (precision.weights() != null) {
            settings.set(precision.weights());
        }
        if (precision.cache() != null) {
            settings.set(precision.cache());
        }
    }

    /// Says what an instance of a split deployment does.
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
        if (plan.instances().size() == 1) {
            settings.noting("the row is half of a split deployment: the other half is not part of this result");
        }
    }

    private static Instance of(LaunchPlan plan, Role role, Instance otherwise) {
        return plan.instances().stream()
                .filter(instance -> instance.role() == role)
                .findFirst()
                .orElse(otherwise);
    }

    private ServerResponse server(LaunchPlan plan, Instance instance, Settings settings) {
        String role = instance.role().name().toLowerCase(Locale.ROOT);
        String file = plan.instances().size() > 1 ? role : "plan";
        String program = engine.program().texts().getFirst();
        FileResponse written = switch (engine.form()) {
            case ARGUMENTS -> null;
            case YAML -> new FileResponse(file + ".yaml", ConfigFile.of(settings.settings(), WireFormat.Syntax.YAML));
            case JSON -> new FileResponse(file + ".json", ConfigFile.of(settings.settings(), WireFormat.Syntax.JSON));
        };
        String command = written == null
                ? program
                        + CONTINUED
                        + String.join(
                                CONTINUED,
                                settings.settings().stream().map(Setting::text).toList())
                : Settings.filled(program, Map.of("file", written.name()));
        int servers = rules.servers(instance.layout());
        return new ServerResponse(
                role,
                instance.layout().label(),
                instance.layout().devices() / servers,
                instance.count() * servers,
                settings.environment(),
                command,
                written,
                settings.settings().stream()
                        .map(setting -> new OptionResponse(setting.text(), setting.source()))
                        .toList());
    }

    private static String checkpoint(LaunchPlan plan) {
        String model = plan.served().model();
        String words = plan.precision().words();
        return words == null
                ? "MODEL=\"${MODEL:-" + model + "}\""
                : "MODEL=\"${MODEL:?a checkpoint of " + model + " quantized as " + words + "}\"";
    }

    private @Nullable String router(LaunchPlan plan, Set<String> notes) {
        EngineOptions.Entry router = engine.router();
        if (plan.instances().size() == 1 || router == null) {
            return null;
        }
        if (router.note() != null) {
            notes.add(router.note());
        }
        return Settings.filled(
                router.texts().getFirst(),
                Map.of(
                        "prefill_instances", plan.instances().getFirst().count(),
                        "decode_instances", plan.instances().getLast().count()));
    }

    private List<CheckResponse> checks(LaunchPlan plan) {
        Instance last = plan.instances().getLast();
        return new Benchmark(plan.served(), last.concurrency() * last.count()).of(engine.checks());
    }
}

package io.throughputoptimizer;

import io.throughputoptimizer.catalog.NearestNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// Names that nobody reads, wherever they are given: those that begin as the service's own settings do, and on the
/// command line all that begin as no setting does.
final class SettingNames {
    private static final String ROOT = "optimizer";
    private static final Set<String> ROOTS =
            Set.of(ROOT, "spring", "server", "management", "logging", "springdoc", "info", "debug", "trace");

    /// What Kubernetes and Docker tell of a service whose name begins so.
    private static final Pattern ADDRESS_OF_A_SERVICE =
            Pattern.compile("OPTIMIZER_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.+)?)?)");

    private final List<String> own;
    private final List<String> lists;
    private final List<String> all;

    SettingNames(List<Setting> own, List<Setting> ofSpring) {
        this.own = own.stream().map(Setting::name).toList();
        this.lists = own.stream().filter(Setting::isList).map(Setting::name).toList();
        this.all = Stream.concat(this.own.stream(), ofSpring.stream().map(Setting::name))
                .toList();
    }

    /// @param arguments of the command line
    /// @return a line for each
    List<String> unknown(ConfigurableEnvironment environment, String... arguments) {
        List<String> complaints = new ArrayList<>();
        for (String argument : arguments) {
            if (!argument.startsWith("--")) {
                complaints.add("\"" + SettingsCheck.shown(argument)
                        + "\" on the command line is not understood: settings such as --server.port=8080 are needed");
            }
        }
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> listed) {
                for (String name : listed.getPropertyNames()) {
                    complaint(name, listed).ifPresent(complaints::add);
                }
            }
        }
        return complaints;
    }

    private Optional<String> complaint(String name, EnumerablePropertySource<?> source) {
        if (source instanceof SystemEnvironmentPropertySource && name.indexOf('.') < 0) {
            return isVariable(name)
                    ? Optional.empty()
                    : Optional.of(complaint(name, variables(own, "_").toList(), "the environment"));
        }
        String root = name.split("[.\\[]", 2)[0];
        if (source instanceof CommandLinePropertySource<?> && !ROOTS.contains(uniform(root))) {
            return Optional.of(complaint(name, all, "the command line"));
        }
        boolean known = !uniform(root).equals(ROOT) || isKnown(name) || isEmptyGroup(name, source);
        return known ? Optional.empty() : Optional.of(complaint(name, own, source.getName()));
    }

    private boolean isKnown(String name) {
        String list = name.replaceAll("\\[\\d+]$", "");
        return (list.equals(name) ? own : lists)
                .stream().anyMatch(setting -> uniform(setting).equals(uniform(list)));
    }

    /// A group of settings in YAML all of which are commented out.
    private boolean isEmptyGroup(String name, EnumerablePropertySource<?> source) {
        return String.valueOf(source.getProperty(name)).isEmpty()
                && own.stream().anyMatch(setting -> uniform(setting).startsWith(uniform(name) + "."));
    }

    private boolean isVariable(String name) {
        String variable = name.toUpperCase(Locale.ROOT);
        if (!variable.startsWith("OPTIMIZER_")
                || ADDRESS_OF_A_SERVICE.matcher(variable).matches()) {
            return true;
        }
        String list = variable.replaceAll("_\\d+_?$", "");
        List<String> settings = list.equals(variable) ? own : lists;
        return Stream.concat(variables(settings, "_"), variables(settings, "")).anyMatch(list::equals);
    }

    /// @param dash what stands for one
    private static Stream<String> variables(List<String> settings, String dash) {
        return settings.stream()
                .map(setting ->
                        setting.toUpperCase(Locale.ROOT).replace(".", "_").replace("-", dash));
    }

    /// The form in which Spring compares names.
    static String uniform(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }

    private static String complaint(String name, List<String> known, String place) {
        String nearest = NearestNames.of(name, known).getFirst();
        return SettingsCheck.shown(name) + " in " + place + " is no setting; nearest to it: " + nearest;
    }
}

package io.throughputoptimizer;

import io.throughputoptimizer.catalog.NearestNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/// Names that begin as Spring's settings do and that no library says it reads, in the metadata that libraries carry for
/// editors. A library may read more than it says, so that these names do not stop the start. Only what is given for
/// this service is looked at, on the command line or in a file of settings: variables and system properties are
/// for other programs too.
final class SpringSettingNames {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final Set<String> ROOTS = Set.of("spring", "server", "management");

    /// The service's own defaults.
    private static final String BUILT_IN = "class path resource";

    private final List<String> known = new ArrayList<>();
    /// In the form in which names are compared.
    private final Set<String> uniform = new HashSet<>();
    /// Settings below which any name may stand, with their dots.
    private final Set<String> open = new HashSet<>();

    private SpringSettingNames() {
        try {
            for (URL resource :
                    Collections.list(SpringSettingNames.class.getClassLoader().getResources(METADATA))) {
                read(resource);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @param source where it is given
    private record Given(String name, PropertySource<?> source) {}

    /// @return a line for each
    static List<String> unknown(ConfigurableEnvironment environment) {
        List<Given> given = environment.getPropertySources().stream()
                .flatMap(SpringSettingNames::given)
                .toList();
        if (given.isEmpty()) {
            return List.of();
        }
        SpringSettingNames names = new SpringSettingNames();
        return given.stream()
                .filter(setting -> !names.isKnown(setting.name))
                .map(names::complaint)
                .toList();
    }

    /// The metadata is not read for documented names.
    private static Stream<Given> given(PropertySource<?> source) {
        return source instanceof EnumerablePropertySource<?> listed && isGivenForTheService(source)
                ? Stream.of(listed.getPropertyNames())
                        .filter(name -> isSprings(name) && isGiven(listed, name) && !isDocumented(name))
                        .map(name -> new Given(name, source))
                : Stream.of();
    }

    private static boolean isGivenForTheService(PropertySource<?> source) {
        return source instanceof CommandLinePropertySource<?>
                || (source instanceof OriginTrackedMapPropertySource
                        && !source.getName().contains(BUILT_IN));
    }

    /// Not a group in YAML all of which is commented out.
    private static boolean isGiven(EnumerablePropertySource<?> source, String name) {
        return !String.valueOf(source.getProperty(name)).isEmpty();
    }

    private static boolean isDocumented(String name) {
        return KnownSettings.ofSpring().stream()
                .anyMatch(setting -> SettingNames.uniform(setting.name()).equals(SettingNames.uniform(name)));
    }

    private static boolean isSprings(String name) {
        return ROOTS.contains(SettingNames.uniform(name.split("[.\\[]", 2)[0]));
    }

    private boolean isKnown(String name) {
        String plain = SettingNames.uniform(name);
        String list = plain.replaceFirst("\\[.*", "");
        return uniform.contains(plain)
                || uniform.contains(list)
                || open.stream().anyMatch(plain::startsWith);
    }

    private String complaint(Given setting) {
        return SettingsCheck.shown(setting.name) + " in " + setting.source.getName()
                + " is no setting that a library says it reads;" + " nearest to it: "
                + NearestNames.of(setting.name, known).getFirst();
    }

    private void read(URL resource) throws IOException {
        try (InputStream bytes = resource.openStream()) {
            Map<String, Object> metadata = JsonParserFactory.getJsonParser()
                    .parseMap(new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
            if (metadata.get("properties") instanceof List<?> properties) {
                for (Object property : properties) {
                    if (property instanceof Map<?, ?> described && described.get("name") instanceof String name) {
                        add(name, String.valueOf(described.get("type")));
                    }
                }
            }
        }
    }

    private void add(String name, String type) {
        if (isSprings(name)) {
            known.add(name);
            uniform.add(SettingNames.uniform(name));
            if (type.startsWith("java.util.Map") || type.equals("java.util.Properties")) {
                open.add(SettingNames.uniform(name) + ".");
                open.add(SettingNames.uniform(name) + "[");
            }
        }
    }
}

package io.throughputoptimizer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

/// Settings as the service finds them: what is given, before its own configuration, and nothing of this process.
final class SettingEnvironments {
    private SettingEnvironments() {}

    /// What is wrong with what is given.
    static List<String> complaints(PropertySource<?>... given) throws IOException {
        return SettingsCheck.complaints(of(given));
    }

    static List<String> complaints(String name, String value) throws IOException {
        return complaints(Map.of(name, value));
    }

    static List<String> complaints(Map<String, Object> given) throws IOException {
        return complaints(new MapPropertySource("given", given));
    }

    static StandardEnvironment of(PropertySource<?>... given) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().stream()
                .map(PropertySource::getName)
                .toList()
                .forEach(environment.getPropertySources()::remove);
        for (PropertySource<?> source : given) {
            environment.getPropertySources().addLast(source);
        }
        new YamlPropertySourceLoader()
                .load("application.yaml", new ClassPathResource("application.yaml"))
                .forEach(environment.getPropertySources()::addLast);
        return environment;
    }

    static PropertySource<?> yaml(String text) throws IOException {
        return new YamlPropertySourceLoader()
                .load("config", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                .getFirst();
    }
}

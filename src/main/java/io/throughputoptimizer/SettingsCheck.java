package io.throughputoptimizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/// Looks at all settings before anything is made of them. A value that makes no sense, and a name that nobody reads,
/// stop the start with a line each; names that begin as Spring's do and that no library is known to read are warned of.
final class SettingsCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final int LONGEST_SHOWN = 200;
    private static final Logger log = LoggerFactory.getLogger(SettingsCheck.class);

    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        SpringSettingNames.unknown(event.getEnvironment()).forEach(log::warn);
        List<String> complaints = complaints(event.getEnvironment(), event.getArgs());
        if (!complaints.isEmpty()) {
            throw new InvalidSettingsException(complaints);
        }
    }

    /// @param arguments of the command line
    /// @return a line for each setting that is wrong: its name, its value, what is needed, and where it was given
    static List<String> complaints(ConfigurableEnvironment environment, String... arguments) {
        ConfigurationPropertySources.attach(environment);
        Binder binder = Binder.get(environment);
        List<Setting> own = KnownSettings.own();
        List<Setting> ofSpring = KnownSettings.ofSpring();
        List<String> complaints = new ArrayList<>(new SettingNames(own, ofSpring).unknown(environment, arguments));
        for (List<Setting> settings : List.of(own, ofSpring)) {
            for (Setting setting : settings) {
                complaint(setting, environment, binder).ifPresent(complaints::add);
            }
        }
        if (complaints.isEmpty()) {
            complaints.addAll(SettingsTogether.complaints(binder));
        }
        return complaints;
    }

    private static Optional<String> complaint(Setting setting, ConfigurableEnvironment environment, Binder binder) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(setting.name());
        ConfigurationProperty given = find(name, environment);
        String text = given == null ? "" : environment.resolvePlaceholders(String.valueOf(given.getValue()));
        if (given != null && text.isBlank()) {
            return setting.takesNothing() ? Optional.empty() : Optional.of(complaint(setting, text, given));
        }
        try {
            Object value = binder.bind(name, setting.type()).orElse(null);
            return value == null || setting.rule().holds(text, value)
                    ? Optional.empty()
                    : Optional.of(complaint(setting, given == null ? value.toString() : text, given));
        } catch (BindException _) {
            return Optional.of(complaint(setting, text, given));
        }
    }

    private static @Nullable ConfigurationProperty find(
            ConfigurationPropertyName name, ConfigurableEnvironment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property;
            }
        }
        return null;
    }

    private static String complaint(Setting setting, String text, @Nullable ConfigurationProperty given) {
        String origin = given == null || given.getOrigin() == null ? "" : " (" + given.getOrigin() + ")";
        return setting.name() + " is \"" + shown(text) + "\": " + setting.needed() + shown(origin);
    }

    /// In one line, and without what is secret in an address: a password before the host, or among parameters.
    static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ").replaceAll("//[^/@]*@", "//...@");
        if (line.startsWith("jdbc:")) {
            line = line.replaceFirst("[?;].*", "...");
        }
        return line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "...";
    }
}

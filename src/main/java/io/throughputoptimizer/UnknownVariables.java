package io.throughputoptimizer;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/// A handler that rejects environment variables and system properties of the service that no setting has: Spring
/// rejects unknown names in all sources but these two.
final class UnknownVariables extends AbstractBindHandler {
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("optimizer");
    private static final Set<String> SOURCES = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
    private static final Pattern OWN = Pattern.compile("(?i)optimizer[_.].+");

    /// Addresses that Kubernetes and Docker give of a service with such a name.
    private static final Pattern ADDRESS =
            Pattern.compile("OPTIMIZER_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.+)?)?)");

    private final Set<String> settings = new HashSet<>();

    UnknownVariables(BindHandler parent) {
        super(parent);
    }

    @Override
    public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
        settings.add(letters(name.toString()));
        return super.onStart(name, target, context);
    }

    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        super.onFinish(name, target, context, result);
        if (name.equals(ROOT)) {
            Set<ConfigurationProperty> unknown = new LinkedHashSet<>();
            for (ConfigurationPropertySource source : context.getSources()) {
                if (source.getUnderlyingSource() instanceof MapPropertySource variables
                        && SOURCES.contains(variables.getName())) {
                    Stream.of(variables.getPropertyNames())
                            .filter(this::isUnknown)
                            .map(variable -> property(variable, variables))
                            .forEach(unknown::add);
                }
            }
            if (!unknown.isEmpty()) {
                throw new UnboundConfigurationPropertiesException(unknown);
            }
        }
    }

    private boolean isUnknown(String variable) {
        return OWN.matcher(variable).matches()
                && !ADDRESS.matcher(variable).matches()
                && !settings.contains(letters(variable));
    }

    /// The form in which a variable and a setting are equal.
    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static ConfigurationProperty property(String variable, MapPropertySource variables) {
        return new ConfigurationProperty(
                ConfigurationPropertyName.adapt(variable.replace('_', '.'), '.'),
                Objects.requireNonNull(variables.getProperty(variable)),
                PropertySourceOrigin.get(variables, variable));
    }
}

package io.throughputoptimizer;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/// A filter that leaves OpenTelemetry out of a service without tracing, which would record spans of all requests to
/// drop them.
final class TracingFilter implements AutoConfigurationImportFilter, EnvironmentAware {
    private static final String SWITCH = "management.tracing.export.enabled";
    private static final List<String> PACKAGES =
            List.of("org.springframework.boot.micrometer.tracing.", "org.springframework.boot.opentelemetry.");

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        boolean traced = requireNonNull(environment).getProperty(SWITCH, Boolean.class, false);
        boolean[] matches = new boolean[configurations.length];
        for (int place = 0; place < matches.length; place++) {
            String name = configurations[place];
            matches[place] = traced || name == null || PACKAGES.stream().noneMatch(name::startsWith);
        }
        return matches;
    }
}

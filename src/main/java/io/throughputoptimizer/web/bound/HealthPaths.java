package io.throughputoptimizer.web.bound;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.ApiVersion;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointWebExtension;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/// Health over HTTP, which says of a path of components that there is not that it is not found: Spring Boot's own fails
/// where a component below an unknown one is asked for.
@EndpointWebExtension(endpoint = HealthEndpoint.class)
public final class HealthPaths extends HealthEndpointWebExtension {
    private final HealthContributorRegistry components;
    private final HealthEndpointGroups groups;

    public HealthPaths(HealthContributorRegistry components, HealthEndpointGroups groups, @Nullable Duration slow) {
        super(components, null, groups, slow);
        this.components = components;
        this.groups = groups;
    }

    @Override
    public WebEndpointResponse<HealthDescriptor> health(
            ApiVersion version,
            @Nullable WebServerNamespace namespace,
            SecurityContext caller,
            boolean all,
            String... path) {
        try {
            WebEndpointResponse<HealthDescriptor> health = super.health(version, namespace, caller, all, path);
            if (health.getStatus() != HttpStatus.NOT_FOUND.value()) {
                return health;
            }
        } catch (IllegalStateException e) {
            if (isThere(path)) {
                throw e;
            }
        }
        throw new ResponseStatusException(HttpStatus.NOT_FOUND);
    }

    private boolean isThere(String... path) {
        int first = path.length > 0 && groups.get(path[0]) != null ? 1 : 0;
        HealthContributor component = first < path.length ? components.getContributor(path[first]) : null;
        for (int i = first + 1; i < path.length && component != null; i++) {
            component = component instanceof CompositeHealthContributor composite
                    ? composite.getContributor(path[i])
                    : null;
        }
        return component != null || first == path.length;
    }
}

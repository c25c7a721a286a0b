package io.throughputoptimizer.security;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.share.Sharer;
import jakarta.servlet.ServletRequest;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// Who calls. Jobs belong to an owner, which all keys of one name are, so that a key can be replaced.
///
/// @param owner of the jobs that the caller submits; absent where nobody is asked for a key
/// @param name for people
/// @param roles with those that they include
public record Caller(@Nullable String owner, String name, Set<Role> roles) {
    /// Whoever calls a service that asks nobody for a key.
    public static final Caller ANYBODY = new Caller(null, "anybody", EnumSet.allOf(Role.class));

    static Caller ofKey(String name, Collection<Role> roles) {
        return new Caller("key:" + name, name, Role.withIncluded(roles));
    }

    static Caller ofToken(String subject, Collection<Role> roles) {
        return new Caller("jwt:" + subject, subject, Role.withIncluded(roles));
    }

    /// Who makes the request that this thread answers.
    public static Caller current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getPrincipal() instanceof Caller caller ? caller : ANYBODY;
    }

    /// Whom the places count for that the request takes which this thread answers: its owner, or its address where
    /// nobody is asked for a key. Behind a proxy that is the proxy's, unless its headers are trusted.
    public static Sharer currentSharer() {
        String owner = current().owner;
        if (owner != null) {
            return Sharer.ofOwner(owner);
        }
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                ? Sharer.ofAddress(attributes.getRequest().getRemoteAddr())
                : Sharer.NOBODY;
    }

    /// As [#currentSharer], for filters that come before Spring's.
    public static Sharer sharer(ServletRequest request) {
        String owner = current().owner;
        return owner == null ? Sharer.ofAddress(request.getRemoteAddr()) : Sharer.ofOwner(owner);
    }

    /// Whether the caller has shown who it is.
    public boolean isKnown() {
        return owner != null;
    }

    /// Whether the caller may see the jobs of an owner.
    public boolean maySee(@Nullable String jobOwner) {
        return roles.contains(Role.READ) || isOwn(jobOwner);
    }

    /// Whether the caller may end, remove and share the jobs of an owner.
    public boolean mayEnd(@Nullable String jobOwner) {
        return roles.contains(Role.ADMIN) || (roles.contains(Role.SUBMIT) && isOwn(jobOwner));
    }

    /// The only owner whose jobs the caller may see; absent if it may see everybody's.
    public @Nullable String onlyOwner() {
        return roles.contains(Role.READ) ? null : owner;
    }

    private boolean isOwn(@Nullable String jobOwner) {
        return owner != null && owner.equals(jobOwner);
    }
}

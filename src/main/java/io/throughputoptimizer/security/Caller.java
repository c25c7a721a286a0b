package io.throughputoptimizer.security;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.quota.CallerId;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// The authenticated caller. Jobs belong to an owner, shared by all keys of one name, so that a key can be
/// replaced.
///
/// @param owner owner of submitted jobs; null without access control
/// @param name display name
/// @param roles roles, included ones expanded
public record Caller(@Nullable String owner, String name, Set<Role> roles) {
    /// Every caller of a service without access control.
    public static final Caller ANYBODY = new Caller(null, "anybody", EnumSet.allOf(Role.class));

    static Caller ofKey(String name, Collection<Role> roles) {
        return new Caller("key:" + name, name, Role.withIncluded(roles));
    }

    static Caller ofToken(String subject, Collection<Role> roles) {
        return new Caller("jwt:" + subject, subject, Role.withIncluded(roles));
    }

    /// Returns the caller of the current request.
    public static Caller current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getPrincipal() instanceof Caller caller ? caller : ANYBODY;
    }

    /// Returns the caller whose quota the current request counts against: its owner, or its address without
    /// access control. Behind a proxy that is the proxy's address, unless its headers are trusted.
    public static CallerId currentId() {
        String owner = current().owner;
        if (owner != null) {
            return CallerId.ofOwner(owner);
        }
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                ? CallerId.ofAddress(attributes.getRequest().getRemoteAddr())
                : CallerId.UNKNOWN;
    }

    /// Returns whether the caller is authenticated.
    public boolean isKnown() {
        return owner != null;
    }

    /// Returns whether the caller can read the jobs of an owner.
    public boolean maySee(@Nullable String jobOwner) {
        return roles.contains(Role.READ) || isOwn(jobOwner);
    }

    /// Returns whether the caller can cancel, delete and share the jobs of an owner.
    public boolean mayEnd(@Nullable String jobOwner) {
        return roles.contains(Role.ADMIN) || (roles.contains(Role.SUBMIT) && isOwn(jobOwner));
    }

    /// Returns the only owner whose jobs the caller can read, or null if it can read all.
    public @Nullable String onlyOwner() {
        return roles.contains(Role.READ) ? null : owner;
    }

    private boolean isOwn(@Nullable String jobOwner) {
        return owner != null && owner.equals(jobOwner);
    }
}

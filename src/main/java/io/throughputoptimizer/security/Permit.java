package io.throughputoptimizer.security;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/// Authorization of a request. Long responses check it again, since a key can be revoked or expire meanwhile.
public interface Permit {
    /// Permit of a request without access control.
    Permit FREE = () -> true;

    /// Returns whether the caller would still be authorized. True if that cannot be determined.
    boolean isValid();

    /// Returns the permit of the current request.
    static Permit current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getCredentials() instanceof Permit permit ? permit : FREE;
    }
}

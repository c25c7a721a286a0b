package io.throughputoptimizer.security;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/// What a caller was let in by. Answers that last look at it again: a key may be revoked or expire meanwhile.
public interface Permit {
    /// Of a caller who was asked for nothing.
    Permit FREE = () -> true;

    /// Whether the caller would be let in now as well. While nobody can tell, it is.
    boolean isValid();

    /// By which the request was let in that this thread answers.
    static Permit current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getCredentials() instanceof Permit permit ? permit : FREE;
    }
}

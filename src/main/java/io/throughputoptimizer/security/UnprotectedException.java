package io.throughputoptimizer.security;

/// Thrown at startup if access control is inconsistent: reachable from other machines without keys, or requires
/// keys but has none.
public final class UnprotectedException extends RuntimeException {
    UnprotectedException(Protection.Circumstances circumstances, boolean keysAreWanted) {
        super(
                keysAreWanted
                        ? "optimizer.security.access is keys, but there is no key, and no issuer of tokens is set."
                        : "The service listens on " + circumstances.address() + ", which others can reach, but there is"
                                + " no key, and no issuer of tokens is set.");
    }
}

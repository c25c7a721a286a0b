package io.throughputoptimizer.security;

/// The service would be open to others without anybody having decided so, or closed to everybody.
public final class UnprotectedException extends RuntimeException {
    UnprotectedException(Protection.Circumstances circumstances, boolean keysAreWanted) {
        super(
                keysAreWanted
                        ? "optimizer.security.access is keys, but there is no key, and no issuer of tokens is set."
                        : "The service listens on " + circumstances.address() + ", which others can reach, but there is"
                                + " no key, and no issuer of tokens is set.");
    }
}

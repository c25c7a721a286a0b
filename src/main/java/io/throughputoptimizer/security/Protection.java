package io.throughputoptimizer.security;

/// Whether callers must show who they are.
public enum Protection {
    /// Nobody is asked.
    OPEN,
    /// Everybody is, by a key or a token.
    KEYS;

    /// What is set.
    public enum Setting {
        /// By whether there are keys or tokens; without any, the service is open on a loopback address.
        AUTOMATIC,
        OPEN,
        KEYS
    }

    /// What there is to go by.
    ///
    /// @param address that the service listens on, for people
    /// @param loopback whether only this machine reaches it
    /// @param credentials whether any caller could show who it is
    public record Circumstances(String address, boolean loopback, boolean credentials) {}

    /// @throws UnprotectedException if nobody has decided to open the service to others, or nobody could use it
    public static Protection decide(Setting setting, Circumstances circumstances) {
        return switch (setting) {
            case OPEN -> OPEN;
            case KEYS -> {
                if (!circumstances.credentials()) {
                    throw new UnprotectedException(circumstances, true);
                }
                yield KEYS;
            }
            case AUTOMATIC -> {
                if (circumstances.credentials()) {
                    yield KEYS;
                }
                if (!circumstances.loopback()) {
                    throw new UnprotectedException(circumstances, false);
                }
                yield OPEN;
            }
        };
    }
}

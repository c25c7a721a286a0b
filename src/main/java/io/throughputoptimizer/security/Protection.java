package io.throughputoptimizer.security;

/// Access control of the service.
public enum Protection {
    /// Callers need no credentials.
    OPEN,
    /// Callers need a key or a token.
    KEYS;

    /// Values of the setting.
    public enum Setting {
        /// By the presence of keys or tokens; without any, the service is open on a loopback address.
        AUTOMATIC,
        OPEN,
        KEYS
    }

    /// Facts that decide automatic access control.
    ///
    /// @param address listening address, for messages
    /// @param loopback true if only this machine can reach it
    /// @param credentials true if keys or tokens exist
    public record Circumstances(String address, boolean loopback, boolean credentials) {}

    /// @throws UnprotectedException if the service would be open to other machines without an explicit setting,
    ///     or usable by no caller
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

package io.throughputoptimizer.core.model.config;

/// Thrown if a model configuration lacks a key, or has a feature without a price.
public final class ModelConfigException extends IllegalArgumentException {
    private final String pointer;

    /// @param pointer JSON pointer (RFC 6901) of the invalid key within the configuration
    /// @param message key, value and rule
    ModelConfigException(String pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /// Returns the JSON pointer (RFC 6901) of the invalid key within the configuration, such as `/hidden_size`.
    public String pointer() {
        return pointer;
    }
}

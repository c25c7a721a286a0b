package io.throughputoptimizer.core.model.config;

/// A model configuration lacks something, or asks for something that cannot be priced.
public final class ModelConfigException extends IllegalArgumentException {
    private final String pointer;

    /// @param pointer JSON pointer (RFC 6901) of the offending key within the configuration
    /// @param message key, value and rule
    ModelConfigException(String pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /// JSON pointer (RFC 6901) of the offending key within the configuration, such as `/hidden_size`.
    public String pointer() {
        return pointer;
    }
}

package io.throughputoptimizer;

import java.util.List;

/// Settings that the service does not start with; each line of the message is about one.
final class InvalidSettingsException extends RuntimeException {

    InvalidSettingsException(List<String> complaints) {
        super(String.join("\n", complaints));
    }
}

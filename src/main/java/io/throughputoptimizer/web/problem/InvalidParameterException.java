package io.throughputoptimizer.web.problem;

import java.util.Map;

/// Query parameters or headers break rules.
public final class InvalidParameterException extends RuntimeException {
    private final transient Map<String, String> rules;

    /// @param rule value and rule
    public InvalidParameterException(String parameter, String rule) {
        this(Map.of(parameter, rule));
    }

    /// @param rules value and rule by parameter, in the order in which they are listed; not empty
    public InvalidParameterException(Map<String, String> rules) {
        super(rules.toString());
        this.rules = rules;
    }

    public Map<String, String> rules() {
        return rules;
    }
}

package io.throughputoptimizer.web;

/// A query parameter or header breaks a rule.
final class InvalidParameterException extends RuntimeException {
    private final String parameter;
    private final String rule;

    /// @param rule value and rule
    InvalidParameterException(String parameter, String rule) {
        super(parameter + " " + rule);
        this.parameter = parameter;
        this.rule = rule;
    }

    String parameter() {
        return parameter;
    }

    String rule() {
        return rule;
    }
}

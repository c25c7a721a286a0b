package io.throughputoptimizer.web.problem;

/// A query parameter or header breaks a rule.
public final class InvalidParameterException extends RuntimeException {
    private final String parameter;
    private final String rule;

    /// @param rule value and rule
    public InvalidParameterException(String parameter, String rule) {
        super(parameter + " " + rule);
        this.parameter = parameter;
        this.rule = rule;
    }

    public String parameter() {
        return parameter;
    }

    public String rule() {
        return rule;
    }
}

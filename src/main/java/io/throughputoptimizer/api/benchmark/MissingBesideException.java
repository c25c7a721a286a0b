package io.throughputoptimizer.api.benchmark;

/// What a file does not say is not said beside it, or both say different things.
public final class MissingBesideException extends RuntimeException {
    private final String parameter;
    private final String rule;

    MissingBesideException(String parameter, String rule) {
        super(parameter + " " + rule);
        this.parameter = parameter;
        this.rule = rule;
    }

    /// What is asked for beside the file.
    public String parameter() {
        return parameter;
    }

    /// What it is, and what is needed.
    public String rule() {
        return rule;
    }
}

package io.throughputoptimizer.core.search.space;

import java.util.List;

/// A problem cannot be searched as it is put.
public final class InvalidProblemException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Objection> objections;

    public InvalidProblemException(List<Objection> objections) {
        super(objections.toString());
        this.objections = List.copyOf(objections);
    }

    /// Returns the objections to the problem, at least one.
    public List<Objection> objections() {
        return objections;
    }
}

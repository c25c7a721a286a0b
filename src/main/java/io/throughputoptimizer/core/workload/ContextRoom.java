package io.throughputoptimizer.core.workload;

/// How long requests may get in the memory of an instance, and how many of them it holds. A request has as many tokens
/// as its prompt and its whole answer together: engines let no request in that could outgrow what they have.
///
/// Only the memory is looked at, not the context that the model is made for.
public interface ContextRoom {
    /// Longest request that is looked for; where it fits, memory sets no limit.
    long LONGEST = Integer.MAX_VALUE;

    /// Most requests of a rank that are looked for.
    long MOST = Integer.MAX_VALUE;

    /// Most tokens of each of so many requests of a data parallel rank; 0 where not even the shortest fit, at most
    /// [#LONGEST].
    long longest(long requests);

    /// Most requests of so many tokens each on a data parallel rank; 0 where none fits, at most [#MOST].
    long most(long tokens);
}

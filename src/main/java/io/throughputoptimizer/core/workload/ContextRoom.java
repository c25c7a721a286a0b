package io.throughputoptimizer.core.workload;

/// Longest requests that fit the memory of an instance, and the concurrency it holds. A request has the tokens
/// of its prompt and of its full output: engines admit no request that could outgrow their memory.
///
/// Only memory limits it, not the model's maximum context length.
public interface ContextRoom {
    /// Longest request that is tried; memory sets no limit if it fits.
    long LONGEST = Integer.MAX_VALUE;

    /// Highest number of requests per rank that is tried.
    long MOST = Integer.MAX_VALUE;

    /// Returns the most tokens of each request if a data parallel rank holds `requests` of them; 0 if not even
    /// the shortest fit, at most [#LONGEST].
    long longest(long requests);

    /// Returns the most requests of `tokens` tokens on a data parallel rank; 0 if none fits, at most [#MOST].
    long most(long tokens);
}

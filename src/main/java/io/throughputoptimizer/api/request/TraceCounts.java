package io.throughputoptimizer.api.request;

import io.throughputoptimizer.core.workload.LengthCounts;

/// What has been read of a trace. Used by one thread.
final class TraceCounts {
    final LengthCounts input = new LengthCounts();
    final LengthCounts output = new LengthCounts();
    private int failed;

    /// @param columns where the lengths were found
    void add(LengthColumns columns, int inputTokens, int outputTokens) {
        if (outputTokens == 0 && columns.hasFailures()) {
            addFailed();
            return;
        }
        input.add(inputTokens);
        output.add(outputTokens);
    }

    /// Counts a request without an answer, whose lengths say nothing.
    void addFailed() {
        failed++;
    }

    int failed() {
        return failed;
    }
}

package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.core.workload.ArrivalCounts;
import io.throughputoptimizer.core.workload.LengthCounts;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What has been read of a trace. Used by one thread.
final class TraceCounts {
    final LengthCounts input = new LengthCounts();
    final LengthCounts output = new LengthCounts();
    private final ArrivalCounts arrivals = new ArrivalCounts();
    private boolean timed = true;
    private int failed;

    /// @param columns where the lengths were found
    /// @param timeColumn where the time was looked for, if anywhere
    /// @param time as it is spelled, if it was found
    void add(
            LengthColumns columns,
            int inputTokens,
            int outputTokens,
            @Nullable TimeColumn timeColumn,
            @Nullable String time,
            long line) {
        if (outputTokens == 0 && columns.hasFailures()) {
            addFailed();
            return;
        }
        input.add(inputTokens);
        output.add(outputTokens);
        if (timeColumn != null && timed) {
            OptionalLong millis =
                    time == null ? OptionalLong.empty() : timeColumn.unit().millis(time);
            if (millis.isPresent()) {
                arrivals.add(millis.getAsLong());
            } else if (timeColumn.asked()) {
                throw BrokenTrace.at(line, fault(timeColumn, time));
            } else {
                timed = false;
            }
        }
    }

    private static String fault(TimeColumn column, @Nullable String time) {
        return time == null
                ? "lacks " + column.name()
                : "has " + column.name() + " \"" + TraceReader.shortened(time) + "\": "
                        + (column.unit() == TraceTime.DATE ? "a date with a time of day" : "a number") + " is needed";
    }

    /// Counts of a benchmark have no times.
    void add(LengthColumns columns, int inputTokens, int outputTokens) {
        add(columns, inputTokens, outputTokens, null, null, 0);
    }

    /// When requests came; none unless each says it.
    @Nullable
    ArrivalCounts arrivals() {
        return timed && arrivals.requests() > 0 ? arrivals : null;
    }

    /// Counts a request without an answer, whose lengths say nothing.
    void addFailed() {
        failed++;
    }

    int failed() {
        return failed;
    }
}

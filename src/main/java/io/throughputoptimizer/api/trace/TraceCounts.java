package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.api.trace.TraceReader.BrokenTrace;
import io.throughputoptimizer.api.trace.TraceReader.PromptBlocks;
import io.throughputoptimizer.api.trace.TraceReader.TraceRequests;
import io.throughputoptimizer.core.workload.ArrivalCounts;
import io.throughputoptimizer.core.workload.LengthCounts;
import io.throughputoptimizer.core.workload.PrefixReuse;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Counts of the lines of a trace read so far. Not thread-safe.
final class TraceCounts {
    final LengthCounts input = new LengthCounts();
    final LengthCounts output = new LengthCounts();
    private final ArrivalCounts arrivals = new ArrivalCounts();
    private final TraceRequests kept = new TraceRequests();
    private boolean timed = true;
    private final PromptBlocks cut;
    private @Nullable PrefixReuse reuse;
    private int failed;

    TraceCounts(PromptBlocks cut) {
        this.cut = cut;
        reuse = new PrefixReuse(cut.tokens(), cut.cacheTokens() == null ? 0 : cut.cacheTokens());
    }

    /// @param columns columns of the lengths
    /// @param timeColumn column of the time, if any
    /// @param time text of the time, if found
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
        long sent = 0;
        if (timeColumn != null && timed) {
            OptionalLong millis =
                    time == null ? OptionalLong.empty() : timeColumn.unit().millis(time);
            if (millis.isPresent()) {
                sent = millis.getAsLong();
                arrivals.add(sent);
            } else if (timeColumn.asked()) {
                throw BrokenTrace.at(line, fault(timeColumn, time));
            } else {
                timed = false;
            }
        }
        kept.add(new TraceRequests.Request(inputTokens, outputTokens, sent));
    }

    /// @param blocks blocks of the prompt; null if the request does not list them
    void addBlocks(@Nullable BlockList blocks, int inputTokens, long line) {
        if (reuse == null) {
            return;
        }
        String fault = fault(blocks, inputTokens);
        if (blocks != null && fault == null) {
            reuse.add(blocks.numbers(), blocks.size(), inputTokens);
        } else if (cut.asked()) {
            throw BrokenTrace.at(line, String.valueOf(fault));
        } else {
            reuse = null;
        }
    }

    private @Nullable String fault(@Nullable BlockList blocks, int inputTokens) {
        if (blocks == null) {
            return "must have " + BlockList.MEMBER + ", whole numbers that identify the blocks of the prompt";
        }
        if (blocks.isTooMany()) {
            return "must not exceed " + PrefixReuse.MOST_BLOCKS + " different blocks in the trace";
        }
        int most = (inputTokens - 1) / cut.tokens() + 1;
        return blocks.size() <= most
                ? null
                : "must have at most " + most + " " + BlockList.MEMBER + " for " + inputTokens + " tokens in blocks of "
                        + cut.tokens() + ", got " + blocks.size();
    }

    /// Returns the reuse of blocks, or null unless each request lists its blocks.
    @Nullable
    PrefixReuse reuse() {
        return reuse != null && reuse.blocks() > 0 ? reuse : null;
    }

    private static String fault(TimeColumn column, @Nullable String time) {
        return time == null
                ? "must have " + column.name()
                : "must have " + (column.unit() == TraceTime.DATE ? "a date with a time of day" : "a number") + " as "
                        + column.name() + ", got \"" + TraceReader.shortened(time) + "\"";
    }

    /// Counts of a benchmark have no times.
    void add(LengthColumns columns, int inputTokens, int outputTokens) {
        add(columns, inputTokens, outputTokens, null, null, 0);
    }

    /// Returns the arrivals, or null unless each request has a time.
    @Nullable
    ArrivalCounts arrivals() {
        return timed && arrivals.requests() > 0 ? arrivals : null;
    }

    /// The requests themselves; none where they cannot be replayed.
    TraceRequests.@Nullable Requests requests() {
        return kept.requests(arrivals() != null);
    }

    /// Counts a request without an answer, whose lengths say nothing.
    void addFailed() {
        failed++;
    }

    int failed() {
        return failed;
    }
}

package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.ConversationRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.TrafficRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Description of the requests of a search, so that a report can be read without its request.
final class TrafficColumns {
    private static final double PERCENT = 100;

    private TrafficColumns() {}

    /// Lengths, prefix cache hits, token budgets and what clients do.
    ///
    /// @param budgets tokens of one prefill pass at the most, of all that is shown
    static List<Fact> of(OptimizationRequest request, Stream<Integer> budgets) {
        WorkloadRequest workload = request.workload();
        List<Fact> facts = new ArrayList<>();
        ConversationRequest conversation = workload.conversation();
        if (conversation == null) {
            facts.add(new Fact("Input Length", lengths(workload.inputLength(), workload.lengthDistribution())));
            facts.add(new Fact("Output Length", lengths(workload.outputLength(), workload.outputDistribution())));
            facts.add(new Fact("Prefix Cache Hits", Decimals.general(PERCENT * workload.prefixCacheHitRate()) + "%"));
        } else {
            facts.addAll(turns(conversation));
        }
        String tokens = budgets.distinct().sorted().map(String::valueOf).collect(Collectors.joining(", "));
        if (!tokens.isEmpty()) {
            facts.add(new Fact("Token Budget", tokens));
        }
        TrafficRequest traffic = request.traffic();
        if (traffic != null) {
            facts.addAll(clients(traffic));
        }
        if (request.slo().ttftBasis() != null) {
            facts.add(new Fact("TTFT Basis", WireFormat.name(request.slo().ttftBasis())));
        }
        return facts;
    }

    private static List<Fact> turns(ConversationRequest conversation) {
        return List.of(
                new Fact("Conversations", conversation.turnsInWords()),
                new Fact("Prompts", conversation.promptsInWords()),
                new Fact("Prefix Cache Hits", conversation.hitsInWords()));
    }

    /// Token budgets of rows that prefill.
    static Stream<Integer> budgets(Stream<RowResponse> rows) {
        return rows.filter(row -> row.prefillNumChunks() > 0).map(RowResponse::maxBatchedTokens);
    }

    /// One length, or what a distribution spans.
    static String lengths(@Nullable Integer sole, @Nullable LengthDistributionRequest distribution) {
        if (distribution == null) {
            return sole + " tokens";
        }
        List<LengthBinRequest> bins = distribution.bins();
        return bins == null
                ? "distribution " + distribution.name()
                : "%s bins, %s to %s tokens, mean %s"
                        .formatted(
                                bins.size(),
                                bins.stream()
                                        .mapToInt(bin -> requireNonNull(bin.minTokens()))
                                        .min()
                                        .orElseThrow(),
                                bins.stream()
                                        .mapToInt(bin -> requireNonNull(bin.maxTokens()))
                                        .max()
                                        .orElseThrow(),
                                Decimals.general(distribution
                                        .extent(Map.of())
                                        .orElseThrow()
                                        .mean()));
    }

    private static List<Fact> clients(TrafficRequest traffic) {
        List<Fact> facts = new ArrayList<>();
        if (traffic.randomRangeRatio() < 1) {
            facts.add(new Fact(
                    "Shortest Lengths", Decimals.general(PERCENT * traffic.randomRangeRatio()) + "% of these"));
        }
        facts.add(
                traffic.requestRate() == null
                        ? new Fact(
                                "Traffic", Decimals.general(traffic.wavesOrDefault()) + " requests per outstanding one")
                        : new Fact("Traffic", Decimals.general(traffic.requestRate()) + " req/s"));
        return facts;
    }
}

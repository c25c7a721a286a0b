package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import java.util.ArrayList;
import java.util.List;

/// Tokens that the experts of rank 0 work on. Routing is perfectly balanced, with the remainder on the first
/// experts: of `n k` copies, expert `j` of `E` gets `n k div E + (j < n k mod E)` from every expert parallel rank.
///
/// Rank 0 owns the first experts and is the most loaded rank. As in the reference, every rank is taken to send what
/// rank 0 sends to itself, so with few tokens more copies arrive than were sent.
///
/// @param copies `n k`, what this rank sends
/// @param received what arrives, over all of its experts
/// @param exchanged what it sends to others or gets from them, whichever is more
/// @param localExperts experts it owns
/// @param groups its experts that have tokens, equal ones together, most loaded first
record ExpertLoad(long copies, long received, long exchanged, int localExperts, List<Group> groups) {

    /// Experts with the same number of tokens.
    ///
    /// @param experts how many
    /// @param tokens of each
    /// @param paddedTokens the next multiple of the padding
    record Group(int experts, long tokens, long paddedTokens) {
        boolean isPadded() {
            return paddedTokens != tokens;
        }

        long rows() {
            return experts * tokens;
        }
    }

    /// @param tokens `n` tokens of this rank
    /// @param padding each expert's tokens are rounded up to a multiple of it
    static ExpertLoad of(long tokens, Routing routing, ExpertLayout layout, long padding) {
        long copies = tokens * routing.expertsPerToken();
        int local = Math.ceilDiv(routing.experts(), layout.ep());
        long base = copies / routing.experts();
        int fuller = (int) Math.min(local, copies % routing.experts());
        List<Group> groups = new ArrayList<>();
        addGroup(groups, fuller, layout.ep() * (base + 1), padding);
        addGroup(groups, local - fuller, layout.ep() * base, padding);
        long kept = base * local + fuller;
        long exchanged = Math.max(copies - kept, (layout.ep() - 1) * kept);
        return new ExpertLoad(copies, layout.ep() * kept, exchanged, local, List.copyOf(groups));
    }

    private static void addGroup(List<Group> groups, int experts, long tokens, long padding) {
        if (experts > 0 && tokens > 0) {
            groups.add(new Group(experts, tokens, Math.ceilDiv(tokens, padding) * padding));
        }
    }

    boolean isPadded() {
        return groups.stream().anyMatch(Group::isPadded);
    }

    int liveExperts() {
        return groups.stream().mapToInt(Group::experts).sum();
    }

    boolean hasIdleExperts() {
        return liveExperts() < localExperts;
    }
}

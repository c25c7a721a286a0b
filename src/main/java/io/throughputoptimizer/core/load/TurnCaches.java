package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.List;
import java.util.stream.IntStream;

/// Cache use of conversation turns on a rank, computed once for all figures.
///
/// @param useful mean tokens of a turn that the next turn reuses
/// @param dead mean tokens of a turn that are never reused
/// @param taken tokens of all turns together while they run
record TurnCaches(
        Conversation conversation,
        PrefixCacheRetention keeping,
        double cacheTokens,
        List<Turn> turns,
        double useful,
        double dead,
        double taken) {
    /// KV cache tokens of a conversation turn.
    ///
    /// @param taken tokens of its prompt and output while it runs
    /// @param left tokens retained after it, without the shared system prompt
    /// @param useful retained tokens that the next turn reuses
    record Turn(double taken, double left, double useful) {
        static Turn of(Conversation conversation, CacheUse use, int turn) {
            double shared = use.of(conversation.shared());
            double taken = use.of(conversation.prompt(turn) + (double) conversation.generatedTokens());
            boolean goesOn = turn < conversation.turns() && conversation.keepsCache();
            return new Turn(taken, taken - shared, goesOn ? use.of(conversation.cached(turn + 1)) - shared : 0);
        }

        /// Returns the use of a turn on a prefill rank, which never sees outputs: the next turn reuses its
        /// prompt.
        static Turn ofPrompt(Conversation conversation, CacheUse use, int turn) {
            double taken = use.of(conversation.prompt(turn));
            double left = taken - use.of(conversation.shared());
            boolean goesOn = turn < conversation.turns() && conversation.keepsCache();
            return new Turn(taken, left, goesOn ? left : 0);
        }

        /// Returns the retained tokens that are never reused.
        double dead() {
            return left - useful;
        }
    }

    /// Returns the cache use of a conversation.
    ///
    /// @param use cache use of a request
    /// @param cacheTokens cache of the rank, `K`; infinity without a known limit
    static TurnCaches of(Conversation conversation, PrefixCacheRetention keeping, CacheUse use, double cacheTokens) {
        List<Turn> turns = IntStream.rangeClosed(1, conversation.turns())
                .mapToObj(turn -> keeping.cache(conversation, use, turn))
                .toList();
        double all = 0;
        double found = 0;
        double running = 0;
        for (Turn turn : turns) {
            all += turn.left();
            found += turn.useful();
            running += turn.taken();
        }
        return new TurnCaches(
                conversation,
                keeping,
                cacheTokens,
                turns,
                found / conversation.turns(),
                (all - found) / conversation.turns(),
                running);
    }

    /// Returns the cache tokens that running requests leave to cached turns.
    ///
    /// @param running batch size
    double room(double running) {
        return cacheTokens - running * taken / conversation.turns();
    }

    /// Returns half of a mean evicted entry, size-biased: the mean space that the last eviction leaves free,
    /// and the mean excess of the last entry.
    ///
    /// @param found share of the turns whose reused part was already taken
    double half(double found) {
        double sum = 0;
        double squares = 0;
        for (Turn turn : turns) {
            sum += found * turn.dead() + (1 - found) * turn.left();
            squares += found * turn.dead() * turn.dead() + (1 - found) * turn.left() * turn.left();
        }
        return squares / sum / 2;
    }

    /// Returns the conversations in think time.
    double thinking(SteadyFigures figures) {
        return figures.requestsPerSecond() / 1000 * conversation.thinkMillis();
    }

    /// Returns the open conversations.
    double open(SteadyFigures figures) {
        return figures.concurrency() + thinking(figures);
    }

    /// Returns the figures with their prefix cache statistics.
    ///
    /// @param found share of the turns after the first that hit the cache
    /// @param foundTokens share of all reusable tokens that are found
    /// @param idle conversations whose cache waits in a rank
    /// @param room cache tokens for these
    SteadyFigures kept(SteadyFigures figures, double found, double foundTokens, double idle, double room) {
        return figures.with(new PrefixCacheStats(
                found,
                foundTokens,
                keeping.hitRate(conversation, foundTokens),
                open(figures),
                conversation.keepsCache() ? idle * useful : 0,
                Math.max(0, room)));
    }
}

package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.List;
import java.util.stream.IntStream;

/// What the turns of a conversation take of a rank's cache and leave there, counted once for all figures.
///
/// @param useful tokens that a turn leaves and the next one finds, in the mean of all turns
/// @param dead tokens that a turn leaves and nobody asks for again, likewise
/// @param taken tokens of all turns together while they run
record TurnCaches(
        Conversation conversation,
        Keeping keeping,
        double cacheTokens,
        List<Turn> turns,
        double useful,
        double dead,
        double taken) {
    /// Tokens of a KV cache that a turn of a conversation takes, and what it leaves there.
    ///
    /// @param taken by its prompt and its answer while it runs
    /// @param left of these once it has ended, beside what all conversations begin with
    /// @param useful those of `left` that the next turn finds
    record Turn(double taken, double left, double useful) {
        static Turn of(Conversation conversation, CacheUse use, int turn) {
            double shared = use.of(conversation.shared());
            double taken = use.of(conversation.prompt(turn) + (double) conversation.generatedTokens());
            boolean goesOn = turn < conversation.turns() && conversation.keepsCache();
            return new Turn(taken, taken - shared, goesOn ? use.of(conversation.cached(turn + 1)) - shared : 0);
        }

        /// Of a rank that computes prompts alone and never sees an answer: its next turn finds the prompt of this one.
        static Turn ofPrompt(Conversation conversation, CacheUse use, int turn) {
            double taken = use.of(conversation.prompt(turn));
            double left = taken - use.of(conversation.shared());
            boolean goesOn = turn < conversation.turns() && conversation.keepsCache();
            return new Turn(taken, left, goesOn ? left : 0);
        }

        /// What nobody asks for again.
        double dead() {
            return left - useful;
        }
    }

    /// @param use what a request takes of the cache
    /// @param cacheTokens of the rank, `K`; infinity where nobody knows a limit
    static TurnCaches of(Conversation conversation, Keeping keeping, CacheUse use, double cacheTokens) {
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

    /// Tokens of the cache that requests leave to others.
    ///
    /// @param running requests at a time
    double room(double running) {
        return cacheTokens - running * taken / conversation.turns();
    }

    /// Half of what is forgotten at a time, those that are larger more often: what the last that was forgotten leaves
    /// free, in the mean, and by how much the last that came exceeds the room.
    ///
    /// @param found share of the turns that had taken their part of it
    double half(double found) {
        double sum = 0;
        double squares = 0;
        for (Turn turn : turns) {
            sum += found * turn.dead() + (1 - found) * turn.left();
            squares += found * turn.dead() * turn.dead() + (1 - found) * turn.left() * turn.left();
        }
        return squares / sum / 2;
    }

    /// Conversations whose users think.
    double thinking(SteadyFigures figures) {
        return figures.requestsPerSecond() / 1000 * conversation.thinkMillis();
    }

    /// Conversations that are open at once.
    double open(SteadyFigures figures) {
        return figures.concurrency() + thinking(figures);
    }

    /// Figures with what their caches come to.
    ///
    /// @param found share of the turns after the first that find the turn before
    /// @param foundTokens share of all tokens that could be found
    /// @param idle conversations whose caches wait in a rank
    /// @param room tokens of its cache for these
    SteadyFigures kept(SteadyFigures figures, double found, double foundTokens, double idle, double room) {
        return figures.with(new KeptCaches(
                found,
                foundTokens,
                keeping.hitRate(conversation, foundTokens),
                open(figures),
                conversation.keepsCache() ? idle * useful : 0,
                Math.max(0, room)));
    }
}

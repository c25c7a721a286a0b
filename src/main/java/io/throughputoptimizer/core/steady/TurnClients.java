package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.ArrayDeque;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Clients of a simulation that ask one turn after the other, and what their turns have left in the KV cache.
///
/// What a turn leaves is found by the next one of the same client unless it was forgotten before that runs: whenever
/// what is left and what requests that run have reserved is more than the cache holds, what was left first is
/// forgotten, whole. What no turn asks for again is forgotten in the same order, as no engine knows it.
final class TurnClients {
    private final Conversation conversation;
    private final CacheUse use;
    private final double kvTokens;
    private final ExponentialDraws draws;
    /// Of each request who sent it and which turn it is.
    private final int[] clients;

    private final int[] turns;
    /// Of each client the turn that comes next, and what the one before has left.
    private final int[] next;

    private final @Nullable Left[] before;
    private final ArrayDeque<Left> left = new ArrayDeque<>();
    private double held;

    /// Counted is what the second half of the requests sees, and the steps since then.
    private boolean counts;

    private double prompts;
    private double cached;
    private int later;
    private int found;
    private double contexts;
    private double decoded;

    /// What a turn has left.
    private static final class Left {
        private double useful;
        private final double dead;
        private boolean forgotten;

        private Left(double useful, double dead) {
            this.useful = useful;
            this.dead = dead;
        }
    }

    /// Clients begin at all turns alike.
    TurnClients(Arrivals.Turns arrivals, int requests, CacheUse use, double kvTokens) {
        this.conversation = arrivals.conversation();
        this.use = use;
        this.kvTokens = kvTokens;
        this.draws = new ExponentialDraws(arrivals.seed());
        this.clients = new int[requests];
        this.turns = new int[requests];
        this.next = IntStream.range(0, arrivals.clients())
                .map(client -> client % conversation.turns() + 1)
                .toArray();
        this.before = new Left[arrivals.clients()];
    }

    int count() {
        return next.length;
    }

    /// How long a client thinks.
    double pauseMillis() {
        return conversation.thinkMillis() * draws.next();
    }

    /// A client sends its next turn.
    ///
    /// @return tokens of its prompt
    int send(int request, int client) {
        clients[request] = client;
        turns[request] = next[client];
        next[client] = next[client] % conversation.turns() + 1;
        return conversation.prompt(turns[request]);
    }

    /// A request begins to run.
    ///
    /// @param reserved tokens of all that run, itself included
    /// @return tokens of its prompt that are found
    int run(int request, double reserved) {
        Left mine = before[clients[request]];
        before[clients[request]] = null;
        int turn = turns[request];
        boolean hit = turn > 1 && mine != null && !mine.forgotten && conversation.keepsCache();
        if (mine != null && !mine.forgotten) {
            held -= mine.useful;
            mine.useful = 0;
        }
        int tokens = hit ? conversation.cached(turn) : conversation.shared();
        counts |= request >= clients.length / 2;
        if (counts) {
            prompts += conversation.prompt(turn);
            cached += tokens;
            later += turn > 1 ? 1 : 0;
            found += hit ? 1 : 0;
        }
        forget(reserved);
        return tokens;
    }

    /// Steps in which requests decode.
    ///
    /// @param context tokens that these have cached, in the mean of the steps
    void decode(long steps, int requests, double context) {
        if (counts) {
            contexts += steps * context;
            decoded += (double) steps * requests;
        }
    }

    /// A request has been answered.
    ///
    /// @param reserved tokens of all that still run
    /// @return who sent it
    int answer(int request, double reserved) {
        int turn = turns[request];
        TurnCache cache = TurnCache.of(conversation, use, turn);
        Left mine = new Left(cache.useful(), cache.dead());
        before[clients[request]] = mine;
        left.add(mine);
        held += mine.useful + mine.dead;
        forget(reserved);
        return clients[request];
    }

    private void forget(double reserved) {
        while (held + reserved > kvTokens && !left.isEmpty()) {
            Left first = left.remove();
            held -= first.useful + first.dead;
            first.useful = 0;
            first.forgotten = true;
        }
    }

    SimulationResult.Turns result() {
        return new SimulationResult.Turns(
                prompts == 0 ? 0 : cached / prompts,
                later == 0 ? 1 : (double) found / later,
                decoded == 0 ? 0 : contexts / decoded);
    }
}

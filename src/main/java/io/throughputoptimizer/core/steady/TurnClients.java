package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Clients of a simulation that ask one turn after the other, and what their turns have left in the KV cache.
///
/// What a turn leaves is found by the next one of the same client unless it was forgotten before that runs: whenever
/// what is left and what requests that run have reserved is more than the cache holds, what was left first is
/// forgotten, whole. What no turn asks for again is forgotten in the same order, as no engine knows it.
final class TurnClients {
    private static final int NOWHERE = -1;

    private final Conversation conversation;
    private final Keeping keeping;
    private final CacheUse use;
    private final double kvTokens;
    private final ExponentialDraws draws;
    /// Of each request who sent it and which turn it is.
    private final int[] clients;

    private final int[] turns;
    /// Of each client the turn that comes next, and what the one before has left.
    private final int[] next;

    private final @Nullable Left[] before;
    /// Of each client where its conversation is, and of each place how many are there.
    private final int[] places;

    private final int[] conversations;
    /// What lies in each cache, and how much that is.
    private final List<ArrayDeque<Left>> left;

    private final double[] held;

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
        private final int place;
        private double useful;
        private final double dead;
        private boolean forgotten;

        private Left(int place, double useful, double dead) {
            this.place = place;
            this.useful = useful;
            this.dead = dead;
        }
    }

    /// Of one cache.
    TurnClients(Arrivals.Turns arrivals, int requests, CacheUse use, double kvTokens) {
        this(arrivals, requests, use, kvTokens, Keeping.PROMPT_AND_ANSWER, 1);
    }

    /// Clients begin at all turns alike.
    ///
    /// @param kvTokens of each cache
    /// @param places caches, each of its own
    TurnClients(Arrivals.Turns arrivals, int requests, CacheUse use, double kvTokens, Keeping keeping, int places) {
        this.conversation = arrivals.conversation();
        this.keeping = keeping;
        this.left = Stream.generate(ArrayDeque<Left>::new).limit(places).toList();
        this.held = new double[places];
        this.use = use;
        this.kvTokens = kvTokens;
        this.draws = new ExponentialDraws(arrivals.seed());
        this.clients = new int[requests];
        this.turns = new int[requests];
        this.next = IntStream.range(0, arrivals.clients())
                .map(client -> client % conversation.turns() + 1)
                .toArray();
        this.before = new Left[arrivals.clients()];
        this.places = new int[arrivals.clients()];
        Arrays.fill(this.places, NOWHERE);
        this.conversations = new int[places];
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

    /// Where a request goes: to where the turn before was, and a conversation that begins to the place with the least
    /// load, of equal ones the first of those that have the fewest conversations.
    ///
    /// @param load of each place
    int place(int request, IntUnaryOperator load) {
        int client = clients[request];
        if (turns[request] > 1 && places[client] != NOWHERE) {
            return places[client];
        }
        if (places[client] != NOWHERE) {
            conversations[places[client]]--;
        }
        int least = 0;
        for (int place = 1; place < conversations.length; place++) {
            int more = Integer.compare(load.applyAsInt(place), load.applyAsInt(least));
            if (more < 0 || (more == 0 && conversations[place] < conversations[least])) {
                least = place;
            }
        }
        conversations[least]++;
        places[client] = least;
        return least;
    }

    /// A request begins to run.
    ///
    /// @param place whose cache it uses
    /// @param reserved tokens of all that run there, itself included
    /// @return tokens of its prompt that are found
    int run(int request, int place, double reserved) {
        Left mine = before[clients[request]];
        before[clients[request]] = null;
        int turn = turns[request];
        boolean hit = turn > 1 && mine != null && mine.place == place && !mine.forgotten && conversation.keepsCache();
        if (mine != null && !mine.forgotten) {
            held[mine.place] -= mine.useful;
            mine.useful = 0;
        }
        int tokens = hit ? keeping.cached(conversation, turn) : conversation.shared();
        counts |= request >= clients.length / 2;
        if (counts) {
            prompts += conversation.prompt(turn);
            cached += tokens;
            later += turn > 1 ? 1 : 0;
            found += hit ? 1 : 0;
        }
        forget(place, reserved);
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

    /// A request has been through its rank, and leaves its cache there.
    ///
    /// @param reserved tokens of all that still run there
    void leave(int request, int place, double reserved) {
        TurnCaches.Turn cache = keeping.cache(conversation, use, turns[request]);
        Left mine = new Left(place, cache.useful(), cache.dead());
        before[clients[request]] = mine;
        left.get(place).add(mine);
        held[place] += mine.useful + mine.dead;
        forget(place, reserved);
    }

    /// Who sent a request.
    int client(int request) {
        return clients[request];
    }

    private void forget(int place, double reserved) {
        ArrayDeque<Left> lying = left.get(place);
        while (held[place] + reserved > kvTokens && !lying.isEmpty()) {
            Left first = lying.remove();
            held[place] -= first.useful + first.dead;
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

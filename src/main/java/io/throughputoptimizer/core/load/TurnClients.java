package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.Arrivals.ExponentialDraws;
import io.throughputoptimizer.core.workload.Conversation;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Multi-turn clients of a simulation, and the entries of their turns in the KV cache.
///
/// The next turn of the same client reuses the entries of a turn unless they were evicted before it runs.
/// Whenever cached entries and reservations of running requests exceed the cache, the oldest entry is evicted
/// as a whole (LRU). Entries that are never reused age in the same order, since engines cannot tell them apart.
final class TurnClients {
    private static final int NOWHERE = -1;

    private final Conversation conversation;
    private final PrefixCacheRetention keeping;
    private final CacheUse use;
    private final double kvTokens;
    private final ExponentialDraws draws;
    /// Client and turn of each request.
    private final int[] clients;

    private final int[] turns;
    /// Next turn of each client, and the entry of its previous turn.
    private final int[] next;

    private final @Nullable Left[] before;
    /// Place of each client's conversation, and the number of conversations at each place.
    private final int[] places;

    private final int[] conversations;
    /// Entries of each cache, and their total tokens.
    private final List<ArrayDeque<Left>> left;

    private final double[] held;

    /// Statistics cover the second half of the requests, and the steps since then.
    private boolean counts;

    private double prompts;
    private double cached;
    private int later;
    private int found;
    private double contexts;
    private double decoded;

    /// Cache entries of a turn.
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

    /// Creates clients that start evenly spread over the turns.
    ///
    /// @param kvTokens capacity of each cache, in tokens
    /// @param places number of separate caches
    TurnClients(
            Arrivals.Turns arrivals,
            int requests,
            CacheUse use,
            double kvTokens,
            PrefixCacheRetention keeping,
            int places) {
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

    /// Draws the think time of a client.
    double pauseMillis() {
        return conversation.thinkMillis() * draws.next();
    }

    /// Sends the next turn of a client.
    ///
    /// @return prompt tokens of the turn
    int send(int request, int client) {
        clients[request] = client;
        turns[request] = next[client];
        next[client] = next[client] % conversation.turns() + 1;
        return conversation.prompt(turns[request]);
    }

    /// Routes a request with session affinity: a turn follows its previous turn; new conversations go to the
    /// least loaded place, among equal ones to the first of those with the fewest conversations.
    ///
    /// @param load load of each place
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

    /// Starts a request.
    ///
    /// @param place place whose cache it uses
    /// @param reserved tokens of all requests that run there, including this one
    /// @return cached prompt tokens
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

    /// Counts decode steps.
    ///
    /// @param context mean cached tokens of the decoding requests over the steps
    void decode(long steps, int requests, double context) {
        if (counts) {
            contexts += steps * context;
            decoded += (double) steps * requests;
        }
    }

    /// Ends a request at its rank, which retains its cache.
    ///
    /// @param reserved tokens of all requests that still run there
    void leave(int request, int place, double reserved) {
        TurnCaches.Turn cache = keeping.cache(conversation, use, turns[request]);
        Left mine = new Left(place, cache.useful(), cache.dead());
        before[clients[request]] = mine;
        left.get(place).add(mine);
        held[place] += mine.useful + mine.dead;
        forget(place, reserved);
    }

    /// Returns the client of a request.
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

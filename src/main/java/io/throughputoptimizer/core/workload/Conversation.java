package io.throughputoptimizer.core.workload;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Multi-turn requests: turns `j = 1 .. n` of a conversation, each turn equally frequent.
///
/// A prompt holds the whole conversation so far and the user's new message. An engine with a prefix cache need
/// not compute the part of it that is cached from the previous turn. With `s` tokens of the system prompt that
/// all conversations share, `a` that each turn adds, `g` that it generates, of them `d` that the client drops
/// before the next turn (its thinking):
///
///     I_j = s + j a + (j - 1)(g - d)                         tokens of a prompt
///     c_1 = s,  c_j = I_(j-1) + g  if d = 0, else I_(j-1)    cached tokens of it
///
/// A prefix cache matches equal prefixes only. If thinking is dropped, the match ends with the previous prompt,
/// and the output after it is computed again. The system prompt is always in use and never evicted. Partial
/// blocks of the cache and the last output token, which no step has computed, are not counted: up to one block
/// per turn.
///
/// @param turns number of turns of a conversation, at least 1
/// @param systemTokens tokens of the system prompt that all conversations share
/// @param addedTokens user tokens that each turn adds
/// @param generatedTokens output tokens of each turn, thinking included
/// @param droppedTokens output tokens that the next prompt does not contain
/// @param keepsCache whether the engine has a prefix cache; without it no token is cached
/// @param thinkMillis mean time from an output to the next turn, in ms; exponentially distributed
public record Conversation(
        int turns,
        int systemTokens,
        int addedTokens,
        int generatedTokens,
        int droppedTokens,
        boolean keepsCache,
        double thinkMillis) {
    public Conversation {
        if (turns < 1
                || systemTokens < 0
                || addedTokens < 1
                || generatedTokens < 1
                || droppedTokens < 0
                || droppedTokens > generatedTokens
                || !(thinkMillis >= 0)) {
            throw new IllegalArgumentException("a conversation of " + turns + " turns, " + systemTokens + " + "
                    + addedTokens + " tokens, answers of " + generatedTokens + ", " + droppedTokens
                    + " of them dropped, "
                    + thinkMillis + " ms between turns");
        }
    }

    /// Returns the prompt tokens of a turn.
    public int prompt(int turn) {
        return Math.toIntExact(
                systemTokens + (long) turn * addedTokens + (turn - 1L) * (generatedTokens - droppedTokens));
    }

    /// Returns the tokens of the longest prompt, that of the last turn.
    public int longestPrompt() {
        return prompt(turns);
    }

    /// Returns the mean prompt tokens over all turns.
    public double meanPrompt() {
        return (prompt(1) + (double) prompt(turns)) / 2;
    }

    /// Returns the cached prompt tokens of a turn if the previous turn is still cached.
    public int cached(int turn) {
        if (!keepsCache) {
            return 0;
        }
        if (turn == 1) {
            return systemTokens;
        }
        return prompt(turn - 1) + (droppedTokens == 0 ? generatedTokens : 0);
    }

    /// Returns the computed tokens of a prompt if its previous turn is still cached.
    public int computed(int promptTokens) {
        if (!keepsCache) {
            return promptTokens;
        }
        return promptTokens <= prompt(1)
                ? promptTokens - Math.min(promptTokens - 1, systemTokens)
                : prompt(2) - cached(2);
    }

    /// Returns the cached prompt tokens of any turn whose previous turn was evicted.
    public int shared() {
        return keepsCache ? systemTokens : 0;
    }

    /// Returns the cached prompt tokens of a turn on a prefill instance. It never computes output, so its cache
    /// ends with the previous prompt, whether or not thinking is dropped.
    public int cachedOfPrompt(int turn) {
        return turn == 1 || !keepsCache ? shared() : prompt(turn - 1);
    }

    /// Returns the cached share of all prompt tokens.
    ///
    /// @param found share of the turns after the first whose previous turn is still cached
    public double hitRate(double found) {
        return hitRate(found, this::cached);
    }

    /// Returns the cached share of all prompt tokens of an engine.
    ///
    /// @param found share of the turns after the first whose previous turn is still cached
    /// @param kept cached tokens of a turn, by its number, if the previous turn is still cached
    public double hitRate(double found, IntUnaryOperator kept) {
        double cached = shared();
        double prompts = prompt(1);
        for (int turn = 2; turn <= turns; turn++) {
            cached += found * kept.applyAsInt(turn) + (1 - found) * shared();
            prompts += prompt(turn);
        }
        return cached / prompts;
    }

    /// Returns the prompt lengths of the turns in ascending order, with equal shares.
    public List<LengthShare> prompts() {
        return IntStream.rangeClosed(1, turns)
                .mapToObj(turn -> new LengthShare(prompt(turn), 1.0 / turns))
                .toList();
    }

    /// Returns the prompt lengths of the turns with the tokens that the prefix cache leaves to compute.
    ///
    /// @param found whether previous turns are still cached
    public RequestMix mix(boolean found) {
        return new RequestMix(IntStream.rangeClosed(1, turns)
                .mapToObj(turn -> new RepresentativeLength(
                        prompt(turn), prompt(turn) - (found ? cached(turn) : shared()), 1.0 / turns))
                .toList());
    }

    /// Returns the prompt lengths of the turns as a distribution with one bin per length.
    public LengthDistribution distribution() {
        return new LengthDistribution(IntStream.rangeClosed(1, turns)
                .mapToObj(turn -> new LengthBin(prompt(turn), prompt(turn) + 1, 1))
                .toList());
    }
}

package io.throughputoptimizer.core.workload;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Requests that go on from each other: turns `j = 1 .. n` of a conversation, of which as many come of each.
///
/// A prompt is all that was said before and what the user adds, and an engine with a prefix cache need not compute the
/// part of it that it has kept from the turn before. With `s` tokens that all conversations begin with, `a` that each
/// turn adds, `g` that it generates, of which the client drops `d` before it asks again (its thinking):
///
///     I_j = s + j a + (j - 1)(g - d)                         tokens of a prompt
///     c_1 = s,  c_j = I_(j-1) + g  if d = 0, else I_(j-1)    tokens of it that the engine has kept
///
/// A cache finds equal beginnings only, so where thinking is dropped it ends with the prompt before: the answer behind
/// it is computed again. What all conversations begin with is in use at any time, and never lost. Blocks of the cache
/// and the last token of an answer, which no step has computed, are not counted: up to a block of a turn.
///
/// @param turns of a conversation, at least 1
/// @param systemTokens that all conversations begin with
/// @param addedTokens of the user, of each turn
/// @param generatedTokens of each turn, its thinking among them
/// @param droppedTokens of these that the next prompt does not have
/// @param keepsCache whether the engine has a prefix cache; nothing is found without
/// @param thinkMillis from an answer to the next turn, in the mean: exponential
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

    /// Tokens of the prompt of a turn.
    public int prompt(int turn) {
        return Math.toIntExact(
                systemTokens + (long) turn * addedTokens + (turn - 1L) * (generatedTokens - droppedTokens));
    }

    /// Tokens of the longest prompt, that of the last turn.
    public int longestPrompt() {
        return prompt(turns);
    }

    /// Tokens of a prompt, in the mean of all turns.
    public double meanPrompt() {
        return (prompt(1) + (double) prompt(turns)) / 2;
    }

    /// Tokens of the prompt of a turn that the engine has, where it has kept the turn before.
    public int cached(int turn) {
        if (!keepsCache) {
            return 0;
        }
        if (turn == 1) {
            return systemTokens;
        }
        return prompt(turn - 1) + (droppedTokens == 0 ? generatedTokens : 0);
    }

    /// Tokens that are computed of a prompt of that length, where its turn finds the one before.
    public int computed(int promptTokens) {
        if (!keepsCache) {
            return promptTokens;
        }
        return promptTokens <= prompt(1)
                ? promptTokens - Math.min(promptTokens - 1, systemTokens)
                : prompt(2) - cached(2);
    }

    /// Tokens of the prompt of any turn that the engine has where it has lost the turn before.
    public int shared() {
        return keepsCache ? systemTokens : 0;
    }

    /// The same where prompts are computed by an instance that never sees an answer: what it keeps ends with the prompt
    /// before, whether or not thinking is dropped.
    public int cachedOfPrompt(int turn) {
        return turn == 1 || !keepsCache ? shared() : prompt(turn - 1);
    }

    /// Share of all tokens of prompts that the engine has.
    ///
    /// @param found share of the turns after the first that find the turn before
    public double hitRate(double found) {
        return hitRate(found, this::cached);
    }

    /// The same of an engine that has as many tokens of a turn, by its number, where it finds the one before.
    public double hitRate(double found, IntUnaryOperator kept) {
        double cached = shared();
        double prompts = prompt(1);
        for (int turn = 2; turn <= turns; turn++) {
            cached += found * kept.applyAsInt(turn) + (1 - found) * shared();
            prompts += prompt(turn);
        }
        return cached / prompts;
    }

    /// Lengths of the prompts, by rising length, as many of each.
    public List<LengthShare> prompts() {
        return IntStream.rangeClosed(1, turns)
                .mapToObj(turn -> new LengthShare(prompt(turn), 1.0 / turns))
                .toList();
    }

    /// The same as a prefix cache leaves them.
    ///
    /// @param found whether turns find the one before
    public RequestMix mix(boolean found) {
        return new RequestMix(IntStream.rangeClosed(1, turns)
                .mapToObj(turn -> new RepresentativeLength(
                        prompt(turn), prompt(turn) - (found ? cached(turn) : shared()), 1.0 / turns))
                .toList());
    }

    /// The same as bins, each of which stands for one length.
    public LengthDistribution distribution() {
        return new LengthDistribution(IntStream.rangeClosed(1, turns)
                .mapToObj(turn -> new LengthBin(prompt(turn), prompt(turn) + 1, 1))
                .toList());
    }
}

package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.List;

/// What one prefill pass computes of prompts of unequal length, in the order of the requests.
public record MixedPass(List<Piece> pieces) {

    /// The same part of `count` equal prompts.
    ///
    /// @param queryLength tokens of the part
    /// @param sequenceLength tokens of the prompt up to its end
    /// @param last whether it completes the prompt
    public record Piece(long count, int queryLength, int sequenceLength, boolean last) {}

    public MixedPass {
        pieces = List.copyOf(pieces);
    }

    /// Prompts that this pass completes.
    public long completed() {
        return pieces.stream().filter(Piece::last).mapToLong(Piece::count).sum();
    }

    /// All prompts in one pass, whatever their tokens add up to.
    public static MixedPass whole(List<LengthSamples> samples) {
        return new MixedPass(samples.stream()
                .map(part -> {
                    int queryLength = part.length().queryLength();
                    return new Piece(part.samples(), queryLength, queryLength, true);
                })
                .toList());
    }

    /// Passes of `maxBatchedTokens` tokens each, the last with the rest: prompts are taken in order, and one that
    /// does not fit what is left of a pass is cut and goes on in the next.
    public static List<MixedPass> cut(List<LengthSamples> samples, int maxBatchedTokens) {
        Cutter cutter = new Cutter(maxBatchedTokens);
        for (LengthSamples part : samples) {
            cutter.take(part.length().queryLength(), part.samples());
        }
        return cutter.finish();
    }

    /// Fills one pass after another.
    private static final class Cutter {
        private final int budget;
        private final List<MixedPass> passes = new ArrayList<>();
        private List<Piece> pieces = new ArrayList<>();
        private int room;

        Cutter(int budget) {
            if (budget <= 0) {
                throw new IllegalArgumentException(
                        "max batched tokens is " + budget + ": a positive whole number is needed");
            }
            this.budget = budget;
            this.room = budget;
        }

        void take(int queryLength, long prompts) {
            long left = prompts;
            while (left > 0) {
                long whole = Math.min(left, room / queryLength);
                if (whole > 0) {
                    add(new Piece(whole, queryLength, queryLength, true));
                    left -= whole;
                }
                if (left > 0 && room < queryLength) {
                    takeInParts(queryLength);
                    left--;
                }
            }
        }

        /// A prompt longer than the room left, which may fill several passes.
        private void takeInParts(int queryLength) {
            int taken = 0;
            while (taken < queryLength) {
                int tokens = Math.min(room, queryLength - taken);
                taken += tokens;
                add(new Piece(1, tokens, taken, taken == queryLength));
            }
        }

        private void add(Piece piece) {
            pieces.add(piece);
            room -= Math.toIntExact(piece.count() * piece.queryLength());
            if (room == 0) {
                passes.add(new MixedPass(pieces));
                pieces = new ArrayList<>();
                room = budget;
            }
        }

        List<MixedPass> finish() {
            if (!pieces.isEmpty()) {
                passes.add(new MixedPass(pieces));
            }
            return passes;
        }
    }
}

package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.Iterator;
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
    /// does not fit what is left of a pass is cut and goes on in the next. Each pass is made when it is asked for,
    /// since there may be more than the memory holds.
    public static Iterator<MixedPass> cut(List<LengthSamples> samples, int maxBatchedTokens) {
        return new Cutter(samples, maxBatchedTokens);
    }

    /// How many passes [#cut] makes: `ceil(tokens / maxBatchedTokens)`.
    public static long count(List<LengthSamples> samples, int maxBatchedTokens) {
        long tokens = samples.stream()
                .mapToLong(part -> part.samples() * part.length().queryLength())
                .sum();
        return Math.ceilDiv(tokens, maxBatchedTokens);
    }

    /// Fills one pass after another.
    private static final class Cutter implements Iterator<MixedPass> {
        private final Iterator<LengthSamples> parts;
        private final int budget;
        private int queryLength;
        /// Prompts of that length that are not completed, and tokens of the first of them that earlier passes hold.
        private long left;

        private int taken;

        Cutter(List<LengthSamples> samples, int budget) {
            if (budget <= 0) {
                throw new IllegalArgumentException(
                        "max batched tokens is " + budget + ": a positive whole number is needed");
            }
            this.parts = samples.iterator();
            this.budget = budget;
        }

        @Override
        public boolean hasNext() {
            return left > 0 || parts.hasNext();
        }

        @Override
        public MixedPass next() {
            List<Piece> pieces = new ArrayList<>();
            int room = budget;
            while (room > 0 && hasNext()) {
                if (left == 0) {
                    LengthSamples part = parts.next();
                    queryLength = part.length().queryLength();
                    left = part.samples();
                }
                Piece piece = take(room);
                pieces.add(piece);
                room -= Math.toIntExact(piece.count() * piece.queryLength());
            }
            return new MixedPass(pieces);
        }

        /// The rest of a prompt that was cut, else as many whole prompts as there is room for, else a part of one.
        private Piece take(int room) {
            long whole = taken > 0 ? 0 : Math.min(left, room / queryLength);
            if (whole > 0) {
                left -= whole;
                return new Piece(whole, queryLength, queryLength, true);
            }
            int tokens = Math.min(room, queryLength - taken);
            taken += tokens;
            Piece piece = new Piece(1, tokens, taken, taken == queryLength);
            if (piece.last()) {
                taken = 0;
                left--;
            }
            return piece;
        }
    }
}

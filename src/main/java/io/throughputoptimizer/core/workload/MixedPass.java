package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Parts of prompts of unequal length that one prefill pass computes, in the order of the requests.
public record MixedPass(List<Piece> pieces) {

    /// Equal parts of `count` equal prompts.
    ///
    /// @param queryLength tokens of the part
    /// @param sequenceLength tokens of the prompt up to the end of the part
    /// @param last whether the part completes the prompt
    public record Piece(long count, int queryLength, int sequenceLength, boolean last) {}

    public MixedPass {
        pieces = List.copyOf(pieces);
    }

    /// Returns the number of prompts that this pass completes.
    public long completed() {
        return pieces.stream().filter(Piece::last).mapToLong(Piece::count).sum();
    }

    /// Returns one pass with all prompts, whatever their total tokens.
    public static MixedPass whole(List<LengthSamples> samples) {
        return new MixedPass(samples.stream()
                .map(part -> {
                    int queryLength = part.length().queryLength();
                    return new Piece(part.samples(), queryLength, queryLength, true);
                })
                .toList());
    }

    /// Returns passes of `maxBatchedTokens` tokens each, the last with the rest: prompts are taken in order,
    /// and a prompt that does not fit the rest of a pass continues in the next (chunked prefill). Passes are
    /// created lazily, since there may be more than memory holds.
    public static Iterator<MixedPass> cut(List<LengthSamples> samples, int maxBatchedTokens) {
        return new Cutter(samples, maxBatchedTokens);
    }

    /// Returns the number of passes of [#cut]: `ceil(tokens / maxBatchedTokens)`.
    public static long count(List<LengthSamples> samples, int maxBatchedTokens) {
        long tokens = samples.stream()
                .mapToLong(part -> part.samples() * part.length().queryLength())
                .sum();
        return Math.ceilDiv(tokens, maxBatchedTokens);
    }

    /// Iterator that fills one pass after another.
    private static final class Cutter implements Iterator<MixedPass> {
        private final Iterator<LengthSamples> parts;
        private final int budget;
        private int queryLength;
        /// Incomplete prompts of the current length; `taken` counts the tokens of the first that earlier passes
        /// computed.
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

        /// Takes the rest of a chunked prompt, else the whole prompts that fit, else a part of one.
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

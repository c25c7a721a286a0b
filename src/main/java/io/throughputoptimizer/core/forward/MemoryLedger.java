package io.throughputoptimizer.core.forward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Peak memory of a pass by liveness, as the reference replays it, quirks included.
///
/// Inputs (tensors no operator defines) are resident from the start and stay. An operator's results, aliases
/// excepted, are added when it runs; after it, each of its inputs whose last use this was is released, unless
/// its source is an input or an output of the pass. An alias is released by its own size, besides its source:
/// a tensor seen through several views in a row is so released once a view, and usage drifts below where it
/// started. Sizes are whole bytes. The peak is the highest usage *before* an operator, or at the end.
///
/// A repeated segment is replayed once: every repetition after it starts higher (or lower) by the same amount,
/// so its peak lies in the first or in the last.
final class MemoryLedger {
    private final ForwardPass pass;
    private final IdentityHashMap<Tensor, Life> lives = new IdentityHashMap<>();

    private MemoryLedger(ForwardPass pass) {
        this.pass = pass;
    }

    /// Highest usage in bytes.
    static double peakBytes(ForwardPass pass) {
        MemoryLedger ledger = new MemoryLedger(pass);
        ledger.trace();
        return ledger.replay();
    }

    private static final class Life {
        private static final int NEVER = -1;

        private final Tensor tensor;
        /// Operator that defines the tensor, NEVER for an input.
        private final int defined;
        /// What the tensor is a view of, in the end; itself when it is none.
        private final Life source;
        /// Segment that first uses an input, and whether another one uses it too.
        private int segment = NEVER;

        private boolean shared;
        private int lastUse = NEVER;
        private boolean passOutput;

        private Life(Tensor tensor, int defined, @Nullable Life source) {
            this.tensor = tensor;
            this.defined = defined;
            this.source = source == null ? this : source.source;
        }

        private boolean isAlias() {
            return source != this;
        }

        private boolean isInput() {
            return defined == NEVER;
        }

        private double bytes() {
            return Math.floor(tensor.bytes());
        }

        private void use(int operator, int inSegment) {
            shared |= segment != NEVER && segment != inSegment;
            segment = inSegment;
            lastUse = operator;
            source.lastUse = Math.max(source.lastUse, operator);
        }
    }

    private void trace() {
        int index = 0;
        for (int segment = 0; segment < pass.segments().size(); segment++) {
            for (Operator operator : pass.segments().get(segment).operators()) {
                for (Tensor input : operator.inputs()) {
                    lives.computeIfAbsent(input, tensor -> new Life(tensor, Life.NEVER, null))
                            .use(index, segment);
                }
                Life source = operator instanceof View view ? lives.get(view.source()) : null;
                for (Tensor output : operator.outputs()) {
                    int definedAt = index;
                    lives.computeIfAbsent(output, tensor -> new Life(tensor, definedAt, source));
                }
                index++;
            }
        }
        lives.values().forEach(MemoryLedger::markOutput);
    }

    /// A tensor nobody uses is an output of the pass; so is the source of an unused view, unless it is used
    /// after that view was made.
    private static void markOutput(Life life) {
        if (life.lastUse == Life.NEVER && life.defined >= life.source.lastUse) {
            life.source.passOutput = true;
        }
    }

    private double replay() {
        double usage = residentBytes();
        double peak = usage;
        int index = 0;
        for (ForwardPass.Segment segment : pass.segments()) {
            double start = usage;
            double segmentPeak = usage;
            for (Operator operator : segment.operators()) {
                segmentPeak = Math.max(segmentPeak, usage);
                usage += allocated(operator) - released(operator, index);
                index++;
            }
            double drift = (segment.repetitions() - 1) * (usage - start);
            peak = Math.max(peak, segmentPeak + Math.max(0, drift));
            usage += drift;
        }
        return Math.max(peak, usage);
    }

    private double residentBytes() {
        List<Life> inputs = new ArrayList<>(lives.values());
        inputs.removeIf(life -> !life.isInput());
        double sum = 0;
        for (Life input : inputs) {
            int copies = input.shared ? 1 : pass.segments().get(input.segment).repetitions();
            sum += input.bytes() * copies;
        }
        return sum;
    }

    private double allocated(Operator operator) {
        double sum = 0;
        for (Tensor output : operator.outputs()) {
            Life life = life(output);
            sum += life.isAlias() ? 0 : life.bytes();
        }
        return sum;
    }

    private double released(Operator operator, int index) {
        Set<Tensor> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(operator.inputs());
        double sum = 0;
        for (Tensor input : distinct) {
            Life life = life(input);
            boolean stays = life.source.isInput() || life.source.passOutput;
            sum += life.lastUse == index && !stays ? life.bytes() : 0;
        }
        return sum;
    }

    private Life life(Tensor tensor) {
        return requireNonNull(lives.get(tensor));
    }
}

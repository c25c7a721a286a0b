package io.throughputoptimizer.core.forward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import java.util.Collections;
import java.util.IdentityHashMap;
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
/// so its peak lies in the first or in the last; segments within it likewise.
final class MemoryLedger {
    private final ForwardPass pass;
    private final IdentityHashMap<Tensor, Life> lives = new IdentityHashMap<>();
    /// Operators walked through so far.
    private int operators;
    /// Usage at this point of the replay, in bytes.
    private double usage;

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
        /// Innermost segment that holds every use.
        private @Nullable Scope scope;

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

        private void use(int operator, Scope inScope) {
            scope = scope == null ? inScope : scope.commonWith(inScope);
            lastUse = operator;
            source.lastUse = Math.max(source.lastUse, operator);
        }
    }

    /// A segment within those around it, and how often it runs in the whole pass.
    private static final class Scope {
        private final @Nullable Scope outer;
        private final int depth;
        private final double runs;

        private Scope(@Nullable Scope outer, double runs) {
            this.outer = outer;
            this.depth = outer == null ? 0 : outer.depth + 1;
            this.runs = runs;
        }

        Scope inner(int repetitions) {
            return new Scope(this, runs * repetitions);
        }

        Scope commonWith(Scope other) {
            Scope mine = this;
            Scope theirs = other;
            while (mine != theirs) {
                if (mine.depth >= theirs.depth) {
                    mine = requireNonNull(mine.outer);
                } else {
                    theirs = requireNonNull(theirs.outer);
                }
            }
            return mine;
        }
    }

    private void trace() {
        trace(pass.root(), new Scope(null, pass.root().repetitions()));
        lives.values().forEach(MemoryLedger::markOutput);
    }

    private void trace(ForwardPass.Segment segment, Scope scope) {
        for (ForwardPass.Step step : segment.steps()) {
            switch (step) {
                case ForwardPass.Segment inner -> trace(inner, scope.inner(inner.repetitions()));
                case ForwardPass.Call call -> trace(call.operator(), scope);
            }
        }
    }

    private void trace(Operator operator, Scope scope) {
        for (Tensor input : operator.inputs()) {
            lives.computeIfAbsent(input, tensor -> new Life(tensor, Life.NEVER, null))
                    .use(operators, scope);
        }
        Life source = operator instanceof View view ? lives.get(view.source()) : null;
        for (Tensor output : operator.outputs()) {
            lives.computeIfAbsent(output, tensor -> new Life(tensor, operators, source));
        }
        operators++;
    }

    /// A tensor nobody uses is an output of the pass; so is the source of an unused view, unless it is used
    /// after that view was made.
    private static void markOutput(Life life) {
        if (life.lastUse == Life.NEVER && life.defined >= life.source.lastUse) {
            life.source.passOutput = true;
        }
    }

    private double replay() {
        usage = residentBytes();
        operators = 0;
        return Math.max(replay(pass.root()), usage);
    }

    /// Highest usage within a segment; leaves the usage after it.
    private double replay(ForwardPass.Segment segment) {
        double start = usage;
        double peak = usage;
        for (ForwardPass.Step step : segment.steps()) {
            switch (step) {
                case ForwardPass.Segment inner -> peak = Math.max(peak, replay(inner));
                case ForwardPass.Call call -> {
                    peak = Math.max(peak, usage);
                    if (Boolean.getBoolean("ledger")) System.out.printf("L %.0f %s %s %s%n", usage, call.operator().name(), call.operator().inputs(), call.operator().outputs());
                    usage += allocated(call.operator()) - released(call.operator(), operators);
                    operators++;
                }
            }
        }
        double drift = (segment.repetitions() - 1) * (usage - start);
        usage += drift;
        return peak + Math.max(0, drift);
    }

    private double residentBytes() {
        double sum = 0;
        for (Life life : lives.values()) {
            sum += life.isInput() ? life.bytes() * requireNonNull(life.scope).runs : 0;
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

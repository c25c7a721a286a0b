package io.throughputoptimizer.core.forward.pass;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.InPlaceDivide;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Peak memory of a pass by liveness, as the reference replays it, quirks included.
///
/// Inputs (tensors no operator defines) are resident from the start and stay. An operator's results, aliases
/// excepted, are added when it runs; after it, each of its inputs whose last use this was is released, unless
/// its source is an input or an output of the pass. An alias is released by its own size, besides its source:
/// a tensor seen through several views in a row is so released once a view, and usage drifts below where it
/// started. A tensor that is changed in place is taken for an alias of itself: never added, released all the same.
/// Sizes are whole bytes. The peak is the highest usage *before* an operator, or at the end.
///
/// A repeated segment is replayed once: every repetition after it starts higher (or lower) by the same amount,
/// so its peak lies in the first or in the last; segments within it likewise. Who lives how long depends on the
/// operators alone, so the replay adds up forms, and the peak is the largest of those that are not below another.
public final class MemoryLedger {
    private final ForwardPass pass;
    private final IdentityHashMap<Tensor, Life> lives = new IdentityHashMap<>();
    /// Operators in order, those of repeated segments once.
    private final List<Event> events = new ArrayList<>();
    /// Number of events that the replay has passed.
    private int replayed;
    /// Usage at this point of the replay, in bytes.
    private Form usage = Form.ZERO;

    private MemoryLedger(ForwardPass pass) {
        this.pass = pass;
    }

    /// Highest usage in bytes: the largest of these forms.
    public static List<Form> peakBytes(ForwardPass pass) {
        MemoryLedger ledger = new MemoryLedger(pass);
        ledger.trace();
        return ledger.replay().candidates();
    }

    /// Inputs and outputs of an operator.
    private record Event(List<Life> inputs, List<Life> outputs) {}

    private static final class Life {
        private static final int NEVER = -1;

        private final Tensor tensor;
        /// Operator that defines the tensor, NEVER for an input.
        private final int defined;
        /// The tensor that this one is finally a view of; itself if it is no view.
        private final Life source;
        /// Innermost segment that holds every use.
        private @Nullable Scope scope;
        /// Runs of the most repeated segment that names it as an input of its repetitions.
        private double ownRuns;

        private int lastUse = NEVER;
        private boolean passOutput;
        private boolean changedInPlace;
        private boolean released;
        /// Its size, once it was asked for.
        private @Nullable Form bytes;

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

        private Form bytes() {
            bytes = bytes == null ? tensor.bytes().floor() : bytes;
            return bytes;
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
        private final Form runs;

        private Scope(@Nullable Scope outer, Form runs) {
            this.outer = outer;
            this.depth = outer == null ? 0 : outer.depth + 1;
            this.runs = runs;
        }

        Scope inner(Form repetitions) {
            return new Scope(this, runs.times(repetitions));
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
        for (Tensor input : segment.inputs()) {
            Life life = lives.get(input);
            if (life != null) {
                life.ownRuns = Math.max(life.ownRuns, scope.runs.number());
            }
        }
    }

    private void trace(Operator operator, Scope scope) {
        int index = events.size();
        List<Life> inputs = new ArrayList<>();
        for (Tensor input : operator.inputs()) {
            Life life = lives.computeIfAbsent(input, tensor -> new Life(tensor, Life.NEVER, null));
            life.use(index, scope);
            inputs.add(life);
        }
        Life source = operator instanceof View ? inputs.getFirst() : null;
        List<Life> outputs = new ArrayList<>();
        for (Tensor output : operator.outputs()) {
            outputs.add(lives.computeIfAbsent(output, tensor -> new Life(tensor, index, source)));
        }
        if (operator instanceof InPlaceDivide) {
            inputs.getFirst().changedInPlace = true;
        }
        events.add(new Event(inputs, outputs));
    }

    /// An unused tensor is an output of the pass; so is the source of an unused view, unless it is used
    /// after that view was made.
    private static void markOutput(Life life) {
        if (life.lastUse == Life.NEVER && life.defined >= life.source.lastUse) {
            life.source.passOutput = true;
        }
    }

    private Peak replay() {
        usage = residentBytes();
        Peak peak = replay(pass.root());
        peak.add(usage);
        return peak;
    }

    /// Highest usage within a segment; leaves the usage after it.
    private Peak replay(ForwardPass.Segment segment) {
        Form start = usage;
        Peak peak = new Peak();
        peak.add(usage);
        for (ForwardPass.Step step : segment.steps()) {
            switch (step) {
                case ForwardPass.Segment inner -> peak.add(replay(inner));
                case ForwardPass.Call _ -> {
                    peak.add(usage);
                    Event event = events.get(replayed);
                    allocate(event);
                    release(event, replayed);
                    replayed++;
                }
            }
        }
        Form drift = usage.minus(start).times(segment.repetitions().minus(Form.ONE));
        usage = usage.plus(drift);
        peak.addShifted(drift);
        return peak;
    }

    private Form residentBytes() {
        Form sum = Form.ZERO;
        for (Life life : lives.values()) {
            sum = life.isInput() ? sum.plus(life.bytes().times(copies(life))) : sum;
        }
        return sum;
    }

    private Form copies(Life input) {
        return input.ownRuns > 0 ? Form.of(input.ownRuns) : requireNonNull(input.scope).runs;
    }

    private void allocate(Event event) {
        for (Life life : event.outputs) {
            if (!life.isAlias() && !life.changedInPlace) {
                usage = usage.plus(life.bytes());
            }
        }
    }

    private void release(Event event, int index) {
        for (Life life : event.inputs) {
            boolean stays = life.released || life.source.isInput() || life.source.passOutput;
            if (life.lastUse == index && !stays) {
                usage = usage.minus(life.bytes());
                life.released = true;
            }
        }
    }
}

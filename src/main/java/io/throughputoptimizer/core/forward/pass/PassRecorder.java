package io.throughputoptimizer.core.forward.pass;

import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.Elementwise;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.ReducedProduct;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.UnsafeView;
import io.throughputoptimizer.core.operator.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Writes down the operators of a pass as blocks emit them. Views of weights and of the KV cache are left
/// out where only their source matters: they are free, and model inputs are never released.
public final class PassRecorder {
    private final IdentityHashMap<Tensor, Tensor> viewed = new IdentityHashMap<>();
    private final boolean fusesReductions;
    private List<ForwardPass.Step> steps = new ArrayList<>();

    /// @param fusesReductions whether a product and the sum of its results over ranks become one operator
    public PassRecorder(boolean fusesReductions) {
        this.fusesReductions = fusesReductions;
    }

    /// Adds an operator and returns the first tensor it defines.
    public Tensor add(Operator operator) {
        addEffect(operator);
        return operator.outputs().getFirst();
    }

    /// Adds an operator that defines nothing.
    public void addEffect(Operator operator) {
        steps.add(new ForwardPass.Call(operator));
        if (operator instanceof View view) {
            Tensor source = viewed.getOrDefault(view.source(), view.source());
            view.results().forEach(result -> viewed.put(result, source));
        }
    }

    /// Writes down once what runs `repetitions` times in a row.
    public <T> T repeat(Form repetitions, Supplier<T> body) {
        List<ForwardPass.Step> outer = steps;
        steps = new ArrayList<>();
        T result = body.get();
        outer.add(new ForwardPass.Segment(steps, repetitions, List.of()));
        steps = outer;
        return result;
    }

    /// Writes down once what runs `repetitions` times in a row, and yields a view of all results together.
    ///
    /// @param body yields `[rows, width]`, or a view of it
    public Tensor repeatAndStack(Form repetitions, Form rows, Supplier<Tensor> body) {
        Tensor result = repeat(repetitions, body);
        return firstRows(viewed.getOrDefault(result, result), repetitions.times(rows));
    }

    /// Writes down once what runs `repetitions` times in a row, each time on one of the `inputs`.
    public void repeat(int repetitions, List<Tensor> inputs, Runnable body) {
        List<ForwardPass.Step> outer = steps;
        steps = new ArrayList<>();
        body.run();
        outer.add(new ForwardPass.Segment(steps, Form.of(repetitions), inputs));
        steps = outer;
    }

    public Tensor elementwise(Elementwise.Kind kind, Tensor result, Tensor... operands) {
        return add(new Elementwise(kind, Arrays.asList(operands), result));
    }

    /// Records a view of the same memory in another shape.
    public Tensor view(Tensor source, Tensor shape) {
        return add(new View(source, List.of(shape)));
    }

    public Tensor view(Tensor source, Form first, long... rest) {
        return view(source, Tensor.of(source.type(), first, rest));
    }

    public Tensor view(Tensor source, long first, Form second, long... rest) {
        return view(source, Tensor.of(source.type(), first, second, rest));
    }

    /// Uses an input for nothing.
    public void lookAt(Tensor input) {
        add(new View(input, List.of(input.sameShape())));
    }

    /// `[1, S, width]` as `[S, width]`.
    public Tensor flatten(Tensor source) {
        return view(source, source.size(1), source.last());
    }

    /// `[S, width]` as `[1, S, width]`.
    public Tensor unflatten(Tensor source) {
        return view(source, 1, source.size(0), source.last());
    }

    /// The first rows of `[S, width]`.
    public Tensor firstRows(Tensor source, Form rows) {
        return view(source, rows, source.last());
    }

    /// Columns of `[S, sum(widths)]`, one tensor for each width.
    public List<Tensor> split(Tensor source, long... widths) {
        List<Tensor> parts = new ArrayList<>(widths.length);
        for (long width : widths) {
            parts.add(Tensor.of(source.type(), source.size(0), width));
        }
        add(new View(source, parts));
        return parts;
    }

    /// `[1, a, b, width]` as `[1, b, a, width]`.
    public Tensor swapMiddle(Tensor source) {
        return view(source, source.permuted(0, 2, 1, 3));
    }

    public Tensor unsafeView(Tensor source, Tensor shape) {
        return add(new UnsafeView(source, shape));
    }

    /// Sums over the group; nothing to do when it has one rank.
    public Tensor allReduce(Tensor input, ProcessGroup group) {
        if (group.size() == 1) {
            return input;
        }
        Collective sum = new Collective(Collective.Kind.ALL_REDUCE, input, input.sameShape(), group);
        return add(fused(sum).orElse(sum));
    }

    /// The sum with the product before it, which is then no operator of its own.
    private Optional<Operator> fused(Collective sum) {
        if (!fusesReductions || steps.isEmpty() || !(steps.getLast() instanceof ForwardPass.Call last)) {
            return Optional.empty();
        }
        Optional<ReducedProduct> both = ReducedProduct.of(last.operator(), sum);
        both.ifPresent(_ -> steps.removeLast());
        return both.map(Operator.class::cast);
    }

    /// Joins the last dimension over the group; nothing to do when it has one rank.
    public Tensor allGather(Tensor input, ProcessGroup group) {
        return gather(input, input.withLast(input.last() * group.size()), group);
    }

    /// Joins the rows of `[S, width]` over the group; nothing to do when it has one rank.
    public Tensor allGatherRows(Tensor input, ProcessGroup group) {
        return gather(input, Tensor.of(input.type(), input.size(0).times(group.size()), input.last()), group);
    }

    private Tensor gather(Tensor input, Tensor result, ProcessGroup group) {
        return group.size() == 1 ? input : add(new Collective(Collective.Kind.ALL_GATHER, input, result, group));
    }

    public ForwardPass finish() {
        return new ForwardPass(new ForwardPass.Segment(steps, Form.ONE, List.of()));
    }
}

package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.PhaseOperators.Operator;
import io.throughputoptimizer.core.kernels.PhaseOperators.Price;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.Collective;
import io.throughputoptimizer.core.kernels.operator.Gemm;
import io.throughputoptimizer.core.kernels.operator.Kernels;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// Builder of the operators of a pass, for several layers at a time. Sizes are those of one rank.
final class PassBuilder {
    /// Bytes of an activation between kernels.
    static final double ACTIVATION_BYTES = ProductType.UNQUANTIZED_BYTES;

    /// Name of the attention operator.
    static final String ATTENTION = "attention";

    private final Step step;
    private final Kernels kernels;
    private final ToDoubleFunction<OperatorClass> factors;
    private final Priced<Move> move;
    private final List<Operator> operators = new ArrayList<>();
    private final Set<KernelUse> notes = new LinkedHashSet<>();
    private final Map<Equal, Price> collectives = new HashMap<>();

    /// Creates a builder.
    ///
    /// @param factors factors of the prices of kernels measured alone, by class
    PassBuilder(Step step, Kernels kernels, ToDoubleFunction<OperatorClass> factors) {
        this.step = step;
        this.kernels = kernels;
        this.factors = factors;
        this.move = kernels.move();
    }

    Step step() {
        return step;
    }

    Kernels kernels() {
        return kernels;
    }

    PhaseOperators built() {
        return new PhaseOperators(operators, notes);
    }

    /// Notes a property of the model that the kernel of an operator was not measured with.
    void note(KernelUse property) {
        notes.add(property);
    }

    void add(String name, OperatorClass kind, int calls, KernelUse use, Price price) {
        operators.add(new Operator(name, kind, calls, factors.applyAsDouble(kind), use, price));
    }

    /// Adds a matrix product of every token: `[N, k] x [k, n]`.
    void linear(String name, int calls, ProductType type, double n, double k) {
        Priced<Gemm> gemm = kernels.gemm(type);
        Gemm kernel = gemm.kernel();
        add(name, OperatorClass.GEMM, calls, gemm.use(), (tokens, _, _) -> kernel.microseconds(tokens, n, k));
    }

    /// Adds a kernel that moves `bytes` for every token.
    void move(String name, int calls, double bytes) {
        add(name, OperatorClass.ELEMENTWISE, calls, move.use(), moving(move.kernel(), bytes));
    }

    /// Adds a kernel of a separate class that moves `bytes` for every token.
    void move(String name, int calls, KernelClass kernel, double bytes) {
        Priced<Move> priced = kernels.move(kernel);
        add(name, OperatorClass.ELEMENTWISE, calls, priced.use(), moving(priced.kernel(), bytes));
    }

    /// Adds the quantization of activations of that width for the next product; nothing if the product does not
    /// quantize them. Fused into the kernel before it.
    void quantise(String name, int calls, ProductType type, double width) {
        if (type.quantizesActivations()) {
            double bytes = (ACTIVATION_BYTES + type.activationBytes()) * width;
            add(
                    name,
                    OperatorClass.ELEMENTWISE,
                    calls,
                    move.use(),
                    moving(move.kernel().fused(), bytes));
        }
    }

    private static Price moving(Move kernel, double bytes) {
        return (tokens, _, _) -> kernel.microseconds(tokens * bytes);
    }

    /// Adds a collective of `ranks` on `bytes` for every token; nothing for a single rank.
    void collective(String name, int calls, Collective.Kind kind, int ranks, double bytes) {
        if (ranks > 1) {
            Priced<Collective> collective = kernels.collective(kind, ranks);
            Collective kernel = collective.kernel();
            add(
                    name,
                    OperatorClass.COMMUNICATION,
                    calls,
                    collective.use(),
                    collectives.computeIfAbsent(
                            new Equal(kind, ranks, bytes), _ -> (tokens, _, _) -> kernel.microseconds(tokens * bytes)));
        }
    }

    /// Inputs of the price of a collective.
    private record Equal(Collective.Kind kind, int ranks, double bytes) {}

    /// Adds the output head `[R, k] x [k, n]`, sharded over `ranks` that gather the logits.
    void head(int ranks, double vocabulary, double hidden) {
        Priced<Gemm> gemm = kernels.gemm(ProductType.BFLOAT16);
        Gemm product = gemm.kernel();
        double columns = vocabulary / ranks;
        add("lm_head", OperatorClass.GEMM, 1, gemm.use(), (_, rows, _) -> product.microseconds(rows, columns, hidden));
        if (ranks > 1) {
            Priced<Collective> gather = kernels.collective(Collective.Kind.ALL_GATHER, ranks);
            Collective kernel = gather.kernel();
            add(
                    "logits_gather",
                    OperatorClass.COMMUNICATION,
                    1,
                    gather.use(),
                    (_, rows, _) -> kernel.microseconds(ACTIVATION_BYTES * rows * vocabulary));
        }
    }
}

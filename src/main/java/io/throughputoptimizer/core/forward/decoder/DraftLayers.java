package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Multi-token prediction: after the pass proper, one decoder layer for each draft token, on all
/// tokens, with an embedding and an output head of its own. It runs in prefill passes too.
final class DraftLayers {
    private final Deployment deployment;
    private final PassKind kind;
    private final LinearLayers linears;
    private final DecoderBlocks.Layer layer;
    private final DecoderBlocks.Layer later;
    private final OutputHead head;
    private final Tensor table;
    private final PassRecorder pass;
    private final ComputedRotary rotary;

    DraftLayers(Deployment deployment, PassKind kind, DecoderBlocks decoder, OutputHead head, PassRecorder pass) {
        this.deployment = deployment;
        this.kind = kind;
        this.linears = decoder.linears();
        this.layer = kind.draftTokens() > 0
                ? decoder.drafts(false)
                : decoder.stacks().getLast().layer();
        this.later = kind.draftTokens() > 1 ? decoder.drafts(true) : layer;
        this.head = head;
        ModelArchitecture model = deployment.model();
        this.table = Tensor.half(model.vocabularySize(), model.hiddenSize());
        this.pass = pass;
        this.rotary = new ComputedRotary(deployment, deployment.execution().compiled(), pass);
    }

    /// Outputs of the main pass.
    ///
    /// @param ids token ids `[1, S]`
    /// @param positions positions of the tokens `[S]`
    /// @param hidden residual stream after the final norm, `[1, S, h]`
    /// @param logits `[1, n, V]`
    record Start(Tensor ids, Tensor positions, Tensor hidden, Tensor logits) {}

    /// Writes the draft layers down. To the memory ledger those after the first repeat it: they take the inputs that
    /// repeated layers take, and rotary factors and a residual stream out of nowhere.
    void record(GraphStyle graph, RowPicker rows, Start start, DecoderPass.SharedInputs inputs) {
        Tensor tokens = sample(start.logits());
        Tensor drafts = Tensor.of(DataType.INT64, tokens.size(0), kind.draftTokens() + 1L);
        drafts = keep(drafts, Tensor.of(DataType.INT64, tokens.size(0)), tokens);
        LayerInputs own = inputs.first()
                .with(rotary.ofDrafts(start.positions(), inputs.first().rotary()));
        Tensor ids = start.ids();
        Tensor previous = start.hidden();
        for (int step = 0; step < kind.draftTokens(); step++) {
            ids = pass.elementwise(
                    Kind.SHIFT_TOKEN_IDS, ids.sameShape(), ids, own.tables().queryStarts(), tokens);
            Tensor hidden = layer(graph, step == 0 ? layer : later, join(embed(ids), previous, own.scales()), own);
            tokens = argmax(head.logits(rows.proposed(hidden)));
            drafts = keep(drafts, pass.view(drafts, tokens.size(0)), tokens);
            own = inputs.repeated().with(Rotary.of(own.rotary().cosines().last()));
            previous = previous.sameShape();
        }
        layer.attention().shard().weightsSeenAgain().forEach(pass::lookAt);
    }

    /// The next token of each request, or all that are verified.
    private Tensor sample(Tensor logits) {
        if (kind.selection() != PassKind.Selection.DRAFTS) {
            return argmax(logits);
        }
        Form requests = REQUESTS.form();
        Tensor bonus = argmax(pass.view(logits, 1, requests, logits.last()));
        Tensor verified = argmax(pass.view(logits, 1, requests.times(kind.draftTokens()), logits.last()));
        Tensor joined = Tensor.of(DataType.INT64, requests, kind.draftTokens() + 1);
        return pass.elementwise(
                Kind.CONCATENATE,
                joined,
                pass.view(verified, requests, kind.draftTokens()),
                pass.view(bonus, requests, 1));
    }

    private Tensor argmax(Tensor logits) {
        return pass.elementwise(Kind.ARGMAX, Tensor.of(DataType.INT64, logits.size(1), 1), logits);
    }

    /// Writes the newest token of each request beside the earlier ones.
    private Tensor keep(Tensor drafts, Tensor place, Tensor tokens) {
        Tensor newest = pass.view(tokens, tokens.size(0));
        if (!compiled()) {
            pass.elementwise(Kind.COPY_IN_PLACE, place.sameShape(), place, newest);
            return drafts;
        }
        Tensor copied = pass.elementwise(Kind.COPY, place.sameShape(), place, newest);
        return pass.elementwise(Kind.SELECT_SCATTER, drafts.sameShape(), drafts, copied);
    }

    private Tensor embed(Tensor ids) {
        return pass.add(DeviceOperators.embedding(table, ids, Tensor.half(1, TOKENS.form(), table.last())));
    }

    /// One residual stream from the embeddings and that of the step before.
    private Tensor join(Tensor embedded, Tensor hidden, LayerScales scales) {
        Tensor left = norm(embedded);
        Tensor right = norm(hidden);
        Tensor joined = pass.elementwise(Kind.CONCATENATE, left.withLast(2 * left.last()), left, right);
        Activation rows = linears.quantize(joined, scales);
        Tensor product = linears.apply(rows.with(pass.flatten(rows.values())), List.of(projection()), scales);
        return pass.unflatten(product);
    }

    private Tensor norm(Tensor input) {
        return compiled() ? linears.fusedNorm(input) : new EagerLayers(linears, pass).wideNorm(input);
    }

    private boolean compiled() {
        return deployment.execution().compiled();
    }

    private Tensor layer(GraphStyle graph, DecoderBlocks.Layer draft, Tensor hidden, LayerInputs inputs) {
        Tensor entered = graph.enter(hidden);
        Tensor output = entered.sameShape();
        graph.layer(draft, entered, inputs, output);
        return graph.leave(output);
    }

    private LinearWeight projection() {
        long hiddenSize = deployment.model().hiddenSize();
        return linears.weight(2 * hiddenSize, hiddenSize);
    }

    /// A layer with four norms and a projection for each draft token; an embedding, an output head and, where
    /// factors are computed for drafts alone, the rotary state (two vectors of float32) for all.
    double weightBytes() {
        ModelArchitecture model = deployment.model();
        int copies = linears.normCopies(deployment.execution().accounting());
        double norms = 2 * (copies + 1) * DataType.FLOAT16.bytes(model.hiddenSize());
        double step = layer.weightBytes() + norms + projection().bytes();
        double embedding = DataType.FLOAT16.bytes((double) model.vocabularySize() * model.hiddenSize());
        double rotaryState = model.computesRotations() ? 0 : DataType.FLOAT32.bytes(Rotary.width(deployment));
        return kind.draftTokens() * step + embedding + head.weightBytes() + rotaryState;
    }

    /// KV cache of the requests in one draft layer, in bytes.
    Form cacheBytes() {
        return layer.attention().shard().cacheBytes();
    }

    /// State of one request in one draft layer, where it is counted.
    double stateBytesPerRequest() {
        return layer.attention().shard().stateBytesPerRequest();
    }
}

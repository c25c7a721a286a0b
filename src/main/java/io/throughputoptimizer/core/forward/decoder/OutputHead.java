package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;

/// From rows of the residual stream to logits: the product with this rank's columns, and the columns of all ranks.
///
/// @param weight this rank's columns, `[h, ceil(V / tp)]`
/// @param pass recorder of operators
record OutputHead(Deployment deployment, Tensor weight, GraphStyle graph, PassRecorder pass) {
    static OutputHead of(Deployment deployment, GraphStyle graph, PassRecorder pass) {
        ModelArchitecture model = deployment.model();
        long columns = Math.ceilDiv(model.vocabularySize(), deployment.layout().tp());
        return new OutputHead(deployment, Tensor.half(model.hiddenSize(), columns), graph, pass);
    }

    /// @param rows `[1, n, h]`
    /// @return `[1, n, V]`
    Tensor logits(Tensor rows) {
        ModelArchitecture model = deployment.model();
        int tp = deployment.layout().tp();
        Tensor logits = graph.outputHead(rows, weight);
        if (tp == 1) {
            return logits;
        }
        Tensor gathered = pass.allGather(logits, ProcessGroup.contiguous(tp));
        return pass.view(gathered, 1, gathered.size(1), model.vocabularySize());
    }

    double weightBytes() {
        return weight.bytes().number();
    }
}

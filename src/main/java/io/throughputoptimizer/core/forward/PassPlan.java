package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.PassPrices;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.decoder.DecoderPass;
import io.throughputoptimizer.core.forward.decoder.PassKind;
import io.throughputoptimizer.core.forward.pass.ForwardPass;
import io.throughputoptimizer.core.forward.pass.MemoryLedger;
import io.throughputoptimizer.core.operator.Form;
import java.util.ArrayList;
import java.util.List;

/// All passes of one deployment and one kind: their operators and their memory, as forms over what they differ in.
///
/// @param calls operators in order, with how often each runs
/// @param peakBytes forms whose maximum is the tracked peak
/// @param cacheBytes KV cache of the requests, in whole blocks
/// @param memoryProved whether the memory is proved equal to the reference
record PassPlan(
        List<PassPrices.Call> calls,
        List<Form> peakBytes,
        double weightBytes,
        Form cacheBytes,
        double stateBytesPerRequest,
        boolean memoryProved) {

    static PassPlan of(Deployment deployment, PassKind kind) {
        DecoderPass decoder = new DecoderPass(deployment, kind, false);
        ForwardPass pass = decoder.record();
        DecoderPass tracked = deployment.model().sharesSelections() ? new DecoderPass(deployment, kind, true) : decoder;
        List<PassPrices.Call> calls = new ArrayList<>();
        flatten(pass.root(), Form.ONE, calls);
        return new PassPlan(
                List.copyOf(calls),
                MemoryLedger.peakBytes(tracked == decoder ? pass : tracked.record()),
                decoder.weightBytes(),
                decoder.cacheBytes(),
                decoder.stateBytesPerRequest(),
                tracked.isMemoryProved());
    }

    private static void flatten(ForwardPass.Segment segment, Form runs, List<PassPrices.Call> calls) {
        for (ForwardPass.Step step : segment.steps()) {
            switch (step) {
                case ForwardPass.Segment inner -> flatten(inner, runs.times(inner.repetitions()), calls);
                case ForwardPass.Call call -> calls.add(new PassPrices.Call(call.operator(), runs));
            }
        }
    }
}

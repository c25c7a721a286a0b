package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.steady.MeanRequest.Prompts;
import java.util.function.DoubleFunction;

/// The [DisaggregatedLaw] of prefill workers that serve turns of conversations and keep their prompts, of which as many
/// find the prompt of the turn before as there is room for ([PromptPressure]). Decode workers keep nothing beyond the
/// requests that they run.
public final class PairedTurnsLaw {
    private final Workers prefill;
    private final Workers decode;
    private final MeanRequest request;
    private final double waves;
    private final double transferMillis;
    private final Prompts found;
    private final Prompts lost;
    private final PromptPressure pressure;

    /// @param turns of conversations; what is kept of them is their prompts
    /// @param waves requests of a benchmark per outstanding one, at least 1
    /// @param transferMillis of the KV cache of a request to decode
    public PairedTurnsLaw(Workers prefill, Workers decode, TurnLengths turns, double waves, double transferMillis) {
        TurnLengths prompts = new TurnLengths(turns.conversation(), Keeping.PROMPT);
        this.prefill = prefill;
        this.decode = decode;
        this.request = prompts.mean();
        this.waves = waves;
        this.transferMillis = transferMillis;
        this.found = DisaggregatedLaw.prompts(prefill.rank(), prompts.meanFound(1));
        this.lost = DisaggregatedLaw.prompts(prefill.rank(), prompts.meanFound(0));
        this.pressure = new PromptPressure(
                turns.conversation(), prefill.rank().use(), prefill.rank().kvTokens(), prefill.ranks());
    }

    /// @param concurrency requests outstanding over all workers, at least 1
    public LawOutcome at(double concurrency) {
        LawOutcome first = law(found).at(concurrency);
        if (!(first instanceof SteadyFigures figures)) {
            return first;
        }
        // A decode step costs the same whatever prompts do, and is priced once.
        SteadyFigures.Steps steps = figures.steps();
        DoubleFunction<SteadyFigures> at =
                share -> law(prompts(share)).figures(concurrency, steps.running(), steps.decodeMillis());
        return pressure.settled(at);
    }

    /// @param share of the tokens that turns before have left, which is found
    private Prompts prompts(double share) {
        return share == 1 ? found : share == 0 ? lost : Prompts.of(found, lost, share);
    }

    private DisaggregatedLaw law(Prompts prompts) {
        return new DisaggregatedLaw(prefill, decode, request, waves, transferMillis, prompts);
    }
}

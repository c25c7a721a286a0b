package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.MeanRequest.Prompts;
import java.util.function.DoubleFunction;

/// The [DisaggregatedLaw] of conversation turns, at the hit share that the caches of prefill ranks allow
/// ([PromptPressure]). Decode ranks cache nothing beyond their running requests.
public final class PairedTurnsLaw {
    private final Workers prefill;
    private final Workers decode;
    private final MeanRequest request;
    private final double waves;
    private final double transferMillis;
    private final Prompts found;
    private final Prompts lost;
    private final PromptPressure pressure;

    /// Creates a law.
    ///
    /// @param turns turns of conversations, whose prompts are cached
    /// @param waves benchmark requests per request in flight, at least 1
    /// @param transferMillis KV transfer time of a request
    public PairedTurnsLaw(Workers prefill, Workers decode, TurnLengths turns, double waves, double transferMillis) {
        TurnLengths prompts = new TurnLengths(turns.conversation(), PrefixCacheRetention.PROMPT);
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

    /// Returns the steady state of a concurrency.
    ///
    /// @param concurrency requests in flight over all ranks, at least 1
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

    /// Returns the prompt costs at a hit share.
    ///
    /// @param share hit share of the reusable tokens
    private Prompts prompts(double share) {
        return share == 1 ? found : share == 0 ? lost : Prompts.of(found, lost, share);
    }

    private DisaggregatedLaw law(Prompts prompts) {
        return new DisaggregatedLaw(prefill, decode, request, waves, transferMillis, prompts);
    }
}

package io.throughputoptimizer.core.steady;

/// Prefill and decode workers in their steady state.
///
/// @param concurrency requests that clients have outstanding, over all workers
/// @param outputTokens mean of a request
/// @param decodeMillis of a step of a decode rank; the TPOT
/// @param prefillMillis of one prompt
/// @param ttft with the transfer
/// @param transferMillis of the KV cache of a request to decode
public record DisaggregatedFigures(
        double concurrency,
        double outputTokens,
        double decodeMillis,
        double prefillMillis,
        Ttft ttft,
        double transferMillis)
        implements LawOutcome.Figures {

    @Override
    public double knownMillis() {
        return transferMillis;
    }

    @Override
    public double tpotMillis() {
        return decodeMillis;
    }
}

package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import org.jspecify.annotations.Nullable;

/// Figures that a row and the best row of a ranked device share.
public sealed interface DeliveredResponse permits RowResponse, RankedDeviceResponse {

    ParallelResponse parallel();

    long batchSize();

    long concurrency();

    @Nullable
    Double ttftMs();

    @Nullable
    Double tpotMs();

    double tokensPerS();

    double tokensPerSPerDevice();

    @Nullable
    Double requestsPerS();

    @Nullable
    Double sustainedRequestsPerS();

    /// The time of a whole answer; absent without a limit on it.
    @Nullable
    RequestLatencyResponse requestLatency();

    @Nullable
    FigureBandsResponse bands();
}

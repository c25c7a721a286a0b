package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.List;

/// A length distribution of the catalogue; its bins may be sent back as a request's own.
@Schema(name = "NamedLengthDistribution")
public record DistributionResponse(String name, List<LengthBinRequest> bins) {

    public static DistributionResponse from(String name, LengthDistribution distribution) {
        return new DistributionResponse(name, bins(distribution));
    }

    /// Returns the bins as requests contain them.
    static List<LengthBinRequest> bins(LengthDistribution distribution) {
        return distribution.bins().stream().map(DistributionResponse::bin).toList();
    }

    private static LengthBinRequest bin(LengthBin bin) {
        return new LengthBinRequest(bin.minTokens(), bin.maxTokens(), bin.weight());
    }
}

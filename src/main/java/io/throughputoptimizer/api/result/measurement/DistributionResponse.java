package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.List;

/// A length distribution of the catalogue; its bins may be sent back as a request's own.
@Schema(name = "NamedLengthDistribution", description = "A length distribution of the catalogue.")
public record DistributionResponse(
        @Schema(description = "Under which requests mean the distribution.", example = "builtin")
        String name,

        @Schema(description = "Shares of lengths; may be sent back as a distribution of one's own.")
        List<LengthBinRequest> bins) {

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

package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A length distribution in a catalog file; [LengthDistribution] validates the bins.
record DistributionDocument(
        @JsonProperty("bins") @JsonSetter(contentNulls = Nulls.FAIL) @Nullable
        List<BinDocument> bins) {

    record BinDocument(
            @JsonProperty("min_tokens") @Nullable Integer minTokens,
            @JsonProperty("max_tokens") @Nullable Integer maxTokens,
            @JsonProperty("weight") @Nullable Double weight) {}

    /// @throws InvalidDocumentException with every missing field
    LengthDistribution toDistribution() {
        DefectCollector defects = new DefectCollector();
        List<LengthBin> result = new ArrayList<>();
        List<BinDocument> given = defects.given("/bins", bins, List.of());
        for (int index = 0; index < given.size(); index++) {
            result.add(bin(defects, "/bins/" + index, given.get(index)));
        }
        defects.throwIfAny();
        return new LengthDistribution(result);
    }

    private static LengthBin bin(DefectCollector defects, String pointer, BinDocument bin) {
        return new LengthBin(
                tokens(defects, pointer + "/min_tokens", bin.minTokens()),
                tokens(defects, pointer + "/max_tokens", bin.maxTokens()),
                defects.number(pointer + "/weight", bin.weight(), new NumberRange(Double.MIN_VALUE, Double.MAX_VALUE)));
    }

    private static int tokens(DefectCollector defects, String pointer, @Nullable Integer tokens) {
        if (tokens == null) {
            defects.refuse(pointer, null, "a whole number is needed");
            return 0;
        }
        return tokens;
    }
}

package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.PassRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.model.LongestRequest;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;

/// Refuses requests longer than their model's context, where no
/// [io.throughputoptimizer.core.search.OptimizationProblem] does.
///
/// @param lookup collects what is refused
/// @param allowed whether they may be longer
record ContextRules(ModelArchitecture model, boolean allowed, CatalogLookup lookup) {

    /// @param imageTokens tokens of the images of each request
    void check(PassRequest pass, double imageTokens) {
        List<PassRequest.GroupRequest> groups = pass.requests();
        if (groups == null) {
            check("/pass/seq_len", new LongestRequest(requireNonNull(pass.seqLen()), 0, imageTokens));
            return;
        }
        for (int index = 0; index < groups.size(); index++) {
            check(
                    "/pass/requests/" + index + "/seq_len",
                    new LongestRequest(requireNonNull(groups.get(index).seqLen()), 0, imageTokens));
        }
    }

    /// Checks the longest request of a workload, without images.
    void check(WorkloadRequest workload, RequestLengths lengths) {
        check(pointer(workload), new LongestRequest(lengths.longestInput(), lengths.longestOutput(), 0));
    }

    private static String pointer(WorkloadRequest workload) {
        if (workload.requests() != null) {
            return "/workload/requests";
        }
        if (workload.conversation() != null) {
            return "/workload/conversation";
        }
        return workload.lengthDistribution() == null ? "/workload/input_length" : "/workload/length_distribution";
    }

    private void check(String pointer, LongestRequest request) {
        if (!allowed) {
            request.obstacle(model).ifPresent(reason -> lookup.refuse(pointer, "is " + reason));
        }
    }
}

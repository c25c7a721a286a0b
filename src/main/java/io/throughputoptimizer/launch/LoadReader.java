package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.ConversationRequest;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.TrafficRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Load;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the client load for which the figures of a plan hold.
final class LoadReader {
    /// Default number of requests per rank in an open-loop simulation.
    private static final int REQUESTS_AT_A_RATE = 300;

    private final Catalogs catalogs;
    private final OptimizationRequest request;

    LoadReader(Catalogs catalogs, OptimizationRequest request) {
        this.catalogs = catalogs;
        this.request = request;
    }

    /// Returns the load at the concurrency of the instances; for a pair that of the decode instances.
    Load of(List<Instance> instances) {
        Instance last = instances.getLast();
        return of(instances, last.concurrency() * last.count());
    }

    /// @param concurrency concurrent requests over all instances
    Load of(List<Instance> instances, long concurrency) {
        TrafficRequest traffic = request.traffic();
        Double rate = traffic == null ? null : traffic.requestRate();
        if (traffic == null || rate == null) {
            return load(concurrency, null, (long) (waves() * concurrency));
        }
        Instance last = instances.getLast();
        long ranks = (long) last.layout().dp() * last.count();
        return load(concurrency, rate, requireNonNullElse(traffic.requests(), REQUESTS_AT_A_RATE) * ranks);
    }

    /// Returns the load of the demand, for which the figures of a deployment hold, rather than its capacity.
    Load of(DeploymentResponse deployment) {
        GroupResponse last = deployment.instances().getLast();
        DemandRequest demand = request.demand();
        if (demand != null && demand.concurrency() != null) {
            return load(demand.concurrency(), null, (long) (waves() * demand.concurrency()));
        }
        long concurrency = last.load().concurrency() * last.count();
        return load(
                concurrency,
                demand == null ? null : rate(demand),
                Math.max((long) (waves() * concurrency), REQUESTS_AT_A_RATE));
    }

    /// Returns the demand in requests per second.
    private @Nullable Double rate(DemandRequest demand) {
        return demand.tokensPerS() == null
                ? demand.requestsPerS()
                : (Double) (demand.tokensPerS()
                        / PlanLengths.ofOutputs(request.workload(), catalogs).mean());
    }

    private double waves() {
        return requireNonNullElse(request.traffic(), TrafficRequest.DEFAULT).wavesOrDefault();
    }

    private Load load(long concurrency, @Nullable Double rate, long prompts) {
        WorkloadRequest workload = request.workload();
        TrafficRequest traffic = request.traffic();
        Optional<ConversationRequest> turns = Optional.ofNullable(workload.conversation());
        return new Load(
                concurrency,
                rate,
                prompts,
                traffic == null ? 1 : requireNonNullElse(traffic.randomRangeRatio(), 1.0),
                turns.map(ConversationRequest::shares)
                        .orElseGet(() -> PlanLengths.ofInputs(workload, List.of(), catalogs)
                                .shares(workload.inputLength(), workload.lengthDistribution(), catalogs)),
                PlanLengths.ofOutputs(workload, catalogs)
                        .shares(workload.outputLength(), workload.outputDistribution(), catalogs),
                turns.map(ConversationRequest::thinkMillis)
                        .orElseGet(() -> traffic == null ? 0.0 : requireNonNullElse(traffic.thinkMs(), 0.0)),
                workload.image() != null,
                turns.map(ConversationRequest::turns).orElse(1));
    }
}

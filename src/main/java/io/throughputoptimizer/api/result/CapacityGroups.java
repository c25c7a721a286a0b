package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.capacity.CalibratedCapacityPlan;
import io.throughputoptimizer.core.capacity.CalibratedPairPlan;
import io.throughputoptimizer.core.capacity.CapacityPlan;
import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.DemandPlan;
import java.util.List;

/// Kinds of instance of a plan that serves a demand.
final class CapacityGroups {
    private CapacityGroups() {}

    static List<GroupResponse> of(DemandPlan plan) {
        return switch (plan) {
            case CapacityPlan counted ->
                counted.groups().stream().map(CapacityGroups::group).toList();
            case CalibratedCapacityPlan together -> List.of(group(together));
            case CalibratedPairPlan apart -> groups(apart);
        };
    }

    private static GroupResponse group(Group group) {
        return new GroupResponse(
                PhaseName.of(group.phase()),
                group.count(),
                group.size(),
                group.utilization(),
                RowResponse.from(group.load(), group.phase(), group.peak().problem()),
                group.peak().requestsPerSecond(),
                RowResponse.from(group.peak().row(), group.phase(), group.peak().problem()));
    }

    private static GroupResponse group(CalibratedCapacityPlan plan) {
        return new GroupResponse(
                PhaseName.AGGREGATION,
                plan.count(),
                plan.instance().size(),
                plan.utilization(),
                row(plan, plan.instance().loadRow(plan.load())),
                plan.instanceMostRequestsPerSecond(),
                row(plan, plan.instance().peakRow()));
    }

    /// Returns the row of one instance; the plan counts instances by their peak.
    private static RowResponse row(CalibratedCapacityPlan plan, CalibratedRow row) {
        return CalibratedResponses.row(
                row,
                null,
                new CalibratedResponses.Asked(plan.problem(), plan.deviceName()),
                plan.peak().concurrency(),
                null);
    }

    private static List<GroupResponse> groups(CalibratedPairPlan plan) {
        PairSideResponses load = PairSideResponses.of(plan, plan.load());
        PairSideResponses peak = PairSideResponses.of(plan, plan.peak());
        return List.of(
                new GroupResponse(
                        PhaseName.PREFILL,
                        plan.counts().prefill(),
                        plan.pair().prefillSize(),
                        plan.utilization(),
                        load.prefill(),
                        plan.mostRequestsPerSecond() / plan.counts().prefill(),
                        peak.prefill()),
                new GroupResponse(
                        PhaseName.DECODE,
                        plan.counts().decode(),
                        plan.pair().decodeSize(),
                        plan.utilization(),
                        load.decode(),
                        plan.mostRequestsPerSecond() / plan.counts().decode(),
                        peak.decode()));
    }
}

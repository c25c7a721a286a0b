package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import java.util.List;

/// The answer to a [MeasuredCapacityProblem].
///
/// @param plans within the devices available, the best first: of each size of instances that do both,
///     and of each pair of sizes, the best
/// @param beyond of each kind of device without a plan the best of each kind of deployment, which takes more devices
/// than there are
/// @param reaches how large a demand the devices available would serve, of each kind of device without a plan
/// @param instances of each size the one that serves most, as a plan for the demand
/// @param rejections sizes that have no instance
/// @param curve devices over demand
/// @param pairs whether any pair of prefill and decode instances keeps the limits
/// @param skippedPairs pairs of layouts that were not tried, because there are too many
/// @param points concurrencies at which the law was asked
public record MeasuredCapacityResult(
        MeasuredCapacityProblem problem,
        List<MeasuredPlan> plans,
        List<MeasuredPlan> beyond,
        List<MeasuredPlan> reaches,
        List<MeasuredCapacityPlan> instances,
        List<InstanceRejection> rejections,
        List<CurvePoint> curve,
        boolean pairs,
        long skippedPairs,
        long points) {}

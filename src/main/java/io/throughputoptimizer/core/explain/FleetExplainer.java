package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.FleetExplanation.Answer;
import io.throughputoptimizer.core.explain.FleetVariants.NotAsked;
import io.throughputoptimizer.core.fleet.FleetResult;
import io.throughputoptimizer.core.fleet.FleetResult.DeviceRanking;
import io.throughputoptimizer.core.fleet.FleetResult.Replicas;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Explains the answers of searches for replicas on measured devices by asking more.
public final class FleetExplainer {
    private FleetExplainer() {}

    /// @param mostDevices that can be connected, by name of the kind of device
    /// @param monitor hears of every concurrency that is evaluated, and may end the work
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    /// @throws IllegalArgumentException if the problem asks for pairs of instances
    public static FleetExplanation explain(
            FleetResult result, Map<String, Integer> mostDevices, SearchMonitor monitor) {
        Inquiry inquiry = Inquiry.ofFleets(monitor);
        List<Answer> answers = result.devices().stream()
                .map(device -> answer(
                        FleetQuestion.of(
                                result.problem(),
                                device.device(),
                                mostDevices.getOrDefault(device.device().name(), Integer.MAX_VALUE - 1)),
                        device,
                        inquiry))
                .toList();
        return new FleetExplanation(answers, inquiry.searches(), inquiry.points());
    }

    private static Answer answer(FleetQuestion question, DeviceRanking device, Inquiry inquiry) {
        if (!(device.found() instanceof Replicas found)) {
            throw new IllegalArgumentException("pairs of instances are not explained");
        }
        FleetFrontier.Reached reached = new FleetFrontier(question).of(inquiry);
        Optional<Plan> plan = Plan.best(found, question.problem());
        return new Answer(
                device.device().name(),
                plan.orElse(null),
                new FleetBindings(question, reached.least()).of(found),
                reached.unbeaten(),
                plan.map(today -> Sensitivity.of(question, today, inquiry)).orElse(List.of()),
                plan.isPresent() ? List.of() : new NearestFeasible(question, inquiry).relaxations(),
                FleetVariants.NOT_ASKED.stream().collect(Collectors.toMap(NotAsked::lever, NotAsked::reason)));
    }
}

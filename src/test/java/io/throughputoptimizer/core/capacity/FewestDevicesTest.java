package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.capacity.TriedInstances.Tried;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.Nightly;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The fewest devices are those of brute force: every size, every layout, every batch size, and every number of
/// instances.
class FewestDevicesTest {

    static LongStream seeds() {
        return Nightly.seeds(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForce(long seed) {
        areThoseOfBruteForce(CapacityCase.of(seed));
    }

    /// The transfer of the cache takes its part of the limit on TTFT, of instances apart only.
    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForceWhereCachesTakeTime(long seed) {
        areThoseOfBruteForce(CapacityCase.withTransfer(seed));
    }

    /// Whole answers have a limit that both kinds of instance keep together, each at its most.
    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForceWhereWholeAnswersHaveALimit(long seed) {
        CapacityCase asked = CapacityCase.withAnswerLimit(seed);
        areThoseOfBruteForce(asked);
        asked.answer().plans().stream()
                .filter(plan ->
                        plan.kind() == Kind.DISAGGREGATED && asked.requirement().unit() != Unit.CONCURRENCY)
                .findFirst()
                .ifPresent(best -> assertThat(best.mostRequestsPerSecond())
                        .isCloseTo(most(asked, best.deviceCount()), within(1e-9)));
    }

    /// Requests a second that as many devices could serve in pairs.
    private static double most(CapacityCase asked, long devices) {
        TriedInstances tried = new TriedInstances(asked);
        List<Tried> decode = tried.of(Phase.DECODE);
        double most = 0;
        for (Tried one : tried.of(Phase.PREFILL)) {
            for (Tried other : decode) {
                long feeds = count(asked, one);
                long completing = count(asked, other);
                if (areInTime(asked, one, other) && feeds * one.size() + completing * other.size() == devices) {
                    most = Math.max(most, Math.min(feeds * rate(one), completing * rate(other)));
                }
            }
        }
        return most;
    }

    private static double rate(Tried one) {
        return one.tokensPerSecond().doubleValue() / one.tokensOfARequest();
    }

    private static long count(CapacityCase asked, Tried one) {
        return planned(asked)
                .multiply(BigDecimal.valueOf(one.tokensOfARequest()))
                .divide(one.tokensPerSecond(), 0, RoundingMode.CEILING)
                .longValueExact();
    }

    private static void areThoseOfBruteForce(CapacityCase asked) {
        CapacityResult result = asked.answer();

        assertThat(fewest(result, Kind.AGGREGATED)).as(asked.toString()).isEqualTo(together(asked));
        assertThat(fewest(result, Kind.DISAGGREGATED)).as(asked.toString()).isEqualTo(apart(asked));
        assertThat(result.plans()).allSatisfy(plan -> isServed(asked, (CapacityPlan) plan));
    }

    private static OptionalLong fewest(CapacityResult result, Kind kind) {
        return result.plans().stream()
                .filter(plan -> plan.kind() == kind)
                .mapToLong(DemandPlan::deviceCount)
                .min();
    }

    private static OptionalLong together(CapacityCase asked) {
        OptionalLong best = OptionalLong.empty();
        for (Tried one : new TriedInstances(asked).of(Phase.AGGREGATION)) {
            for (long count = 1; count * one.size() <= asked.budget(); count++) {
                if (serves(asked, one, count)) {
                    best = least(best, count * one.size());
                }
            }
        }
        return best;
    }

    private static OptionalLong apart(CapacityCase asked) {
        TriedInstances tried = new TriedInstances(asked);
        List<Tried> prefill = tried.of(Phase.PREFILL);
        List<Tried> decode = tried.of(Phase.DECODE);
        OptionalLong best = OptionalLong.empty();
        for (List<Tried> layout : decode.stream()
                .collect(Collectors.groupingBy(one -> List.of(one.size(), one.layout())))
                .values()) {
            for (long count = 1; count * layout.getFirst().size() <= asked.budget(); count++) {
                long instances = count;
                List<Tried> completing = layout.stream()
                        .filter(one -> serves(asked, one, instances))
                        .toList();
                if (completing.isEmpty()) {
                    continue;
                }
                BigDecimal needed = fed(asked, layout, instances);
                for (Tried one : prefill) {
                    if (completing.stream().noneMatch(other -> areInTime(asked, one, other))) {
                        continue;
                    }
                    for (long feeds = 1; feeds * one.size() <= asked.budget(); feeds++) {
                        long devices =
                                feeds * one.size() + count * layout.getFirst().size();
                        if (isAtLeast(one, feeds, needed)) {
                            best = devices <= asked.budget() ? least(best, devices) : best;
                            break;
                        }
                    }
                }
            }
        }
        return best;
    }

    private static boolean areInTime(CapacityCase asked, Tried prefill, Tried decode) {
        Double limit = asked.limits().requestLatencyMillis();
        return limit == null || prefill.answerMillis() + asked.handedMillis() + decode.answerMillis() <= limit;
    }

    /// Tokens of 10^6 requests a second that prefill must be able to hand over.
    private static BigDecimal fed(CapacityCase asked, List<Tried> layout, long instances) {
        if (asked.requirement().unit() != Unit.CONCURRENCY) {
            return planned(asked);
        }
        Tried load = layout.stream()
                .filter(one ->
                        one.concurrency() * instances >= asked.requirement().amount())
                .min((one, other) -> Long.compare(one.concurrency(), other.concurrency()))
                .orElseThrow();
        return load.tokensPerSecond()
                .multiply(BigDecimal.valueOf(instances))
                .multiply(reserve(asked))
                .divide(BigDecimal.valueOf(load.tokensOfARequest()), java.math.MathContext.DECIMAL128);
    }

    private static boolean serves(CapacityCase asked, Tried one, long count) {
        return asked.requirement().unit() == Unit.CONCURRENCY
                ? BigDecimal.valueOf(one.concurrency() * count).compareTo(planned(asked)) >= 0
                : isAtLeast(one, count, planned(asked));
    }

    private static boolean isAtLeast(Tried one, long count, BigDecimal requests) {
        return one.tokensPerSecond()
                        .multiply(BigDecimal.valueOf(count))
                        .compareTo(requests.multiply(BigDecimal.valueOf(one.tokensOfARequest())))
                >= 0;
    }

    /// Requests a second, or at once.
    private static BigDecimal planned(CapacityCase asked) {
        BigDecimal amount = BigDecimal.valueOf(asked.requirement().amount()).multiply(reserve(asked));
        return asked.requirement().unit() == Unit.TOKENS_PER_S
                ? amount.divide(BigDecimal.valueOf(asked.outputTokens()), java.math.MathContext.DECIMAL128)
                : amount;
    }

    private static BigDecimal reserve(CapacityCase asked) {
        return BigDecimal.ONE.add(BigDecimal.valueOf(asked.requirement().headroom()));
    }

    private static OptionalLong least(OptionalLong known, long devices) {
        return OptionalLong.of(Math.min(known.orElse(Long.MAX_VALUE), devices));
    }

    /// Figures are those of a load that serves the demand, at limits that are kept.
    private static void isServed(CapacityCase asked, CapacityPlan plan) {
        assertThat(plan.deviceCount()).isLessThanOrEqualTo(asked.budget());
        assertThat(plan.utilization())
                .isBetween(0.0, 1 / (1 + asked.requirement().headroom()) + 1e-12);
        if (asked.limits().ttftMillis() != null) {
            assertThat(plan.ttftMillis()).isLessThanOrEqualTo(asked.limits().ttftMillis() + 1e-9);
        }
        isHandedOver(asked, plan);
        Double whole = asked.limits().requestLatencyMillis();
        if (whole != null) {
            assertThat(plan.requestLatencyMillis(asked.limits().basis())).isLessThanOrEqualTo(whole);
        }
        if (asked.limits().tpotMillis() != null) {
            assertThat(plan.tpotMillis()).isLessThanOrEqualTo(asked.limits().tpotMillis());
        }
        for (Group group : plan.groups()) {
            assertThat(group.load().batchSize())
                    .isLessThanOrEqualTo(group.peak().row().batchSize());
            double served = asked.requirement().unit() == Unit.CONCURRENCY && group.phase() != Phase.PREFILL
                    ? (double) group.load().concurrency()
                            * group.count()
                            / asked.requirement().amount()
                    : group.peak().rate(group.load()).times(group.count()).value() / plan.requestsPerSecond();
            assertThat(served).isGreaterThanOrEqualTo(1 - 1e-12);
        }
    }

    private static void isHandedOver(CapacityCase asked, CapacityPlan plan) {
        Double prompt = plan.groups().getFirst().load().figures().ttftMillis();
        if (plan.kind() == Kind.AGGREGATED || asked.transfer() == null) {
            assertThat(plan.handover()).isNull();
            assertThat(plan.ttftMillis()).isEqualTo(prompt);
        } else {
            Handover handover = Objects.requireNonNull(plan.handover());
            assertThat(handover.bytes()).isEqualTo(asked.handedBytes());
            assertThat(handover.millis()).isCloseTo(asked.handedMillis(), within(1e-9));
            assertThat(plan.ttftMillis()).isEqualTo(Objects.requireNonNull(prompt) + handover.millis());
        }
    }
}

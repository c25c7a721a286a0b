package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.Pairing.Instances;
import io.throughputoptimizer.core.silicon.CacheType;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import io.throughputoptimizer.core.steady.Traffic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The questions about measured devices that differ from one in a single thing.
record MeasuredVariants(MeasuredQuestion question) {
    private static final NotAsked LATENCIES =
            new NotAsked(DeviceFigure.LINK_LATENCY, "measured collectives have latencies of their own");
    private static final NotAsked DRAFTS = new NotAsked(
            Choice.DRAFT_TOKENS,
            "only numbers of drafts that are asked for are priced: how many of others are accepted is not known");
    private static final NotAsked BUDGET =
            new NotAsked(Choice.TOKEN_BUDGET, "a prefill rank of pairs works on one prompt at a time");

    private static final String OF_ANOTHER_SERVER = "the measured rows are of another server, and say nothing of it";
    private static final List<NotAsked> UNMEASURED = List.of(
            new NotAsked(Choice.CACHE_QUANTIZATION, OF_ANOTHER_SERVER),
            new NotAsked(Choice.LINEAR_QUANTIZATION, OF_ANOTHER_SERVER),
            new NotAsked(Choice.TOKEN_BUDGET, OF_ANOTHER_SERVER),
            new NotAsked(Choice.DEVICE, OF_ANOTHER_SERVER),
            new NotAsked(Choice.PREFIX_CACHE_HIT_RATE, "no measured row says what a prefix cache does"));

    private static final NotAsked PREFIXES =
            new NotAsked(Choice.PREFIX_CACHE_HIT_RATE, "no simulation knows a prefix cache");

    /// Levers that mean nothing there, and why.
    List<NotAsked> notAsked() {
        List<NotAsked> levers = new ArrayList<>(List.of(LATENCIES, DRAFTS));
        if (question.aim() == Aim.PD_RATIO) {
            levers.add(BUDGET);
        }
        if (question.isSimulated()) {
            levers.add(PREFIXES);
        }
        if (question.isMeasured()) {
            levers.addAll(UNMEASURED);
        }
        return levers;
    }

    List<Variant> all() {
        List<Optional<Variant>> variants = new ArrayList<>();
        Variants.limits(question, variants);
        Variants.devices(question, variants);
        Variants.transfers(question, variants);
        if (!question.isMeasured()) {
            precisions(variants);
        }
        if (question.aim() != Aim.PD_RATIO && !question.isMeasured()) {
            tokenBudgets(variants);
        }
        if (!question.isSimulated() && !question.isMeasured()) {
            hitRates(variants);
        }
        instanceSizes(variants);
        Variants.leastConcurrencies(question, variants);
        return variants.stream().flatMap(Optional::stream).toList();
    }

    private void precisions(List<Optional<Variant>> variants) {
        Precision now = question.device().precision();
        caches(cache -> cache != now.cache(), variants);
        for (Scheme scheme : Scheme.values()) {
            if (scheme != now.scheme()) {
                variants.add(with(scheme));
            }
        }
    }

    /// With other types of KV cache.
    void caches(Predicate<CacheType> tried, List<Optional<Variant>> variants) {
        Precision now = question.device().precision();
        Arrays.stream(CacheType.values())
                .filter(tried)
                .map(cache -> Variant.of(
                        Change.of(Choice.CACHE_QUANTIZATION, now.cache().label(), cache.label()),
                        question.with(device -> device.with(new Precision(now.scheme(), cache, now.state())))))
                .forEach(variants::add);
    }

    /// With another scheme, and the KV cache that it brings; empty where there are no such checkpoints or products.
    Optional<Variant> with(Scheme scheme) {
        if (!question.hasCheckpoints(scheme)) {
            return Optional.empty();
        }
        Precision now = question.device().precision();
        Precision then = question.alternatives().with(scheme, now);
        return Variant.of(
                Change.of(Choice.LINEAR_QUANTIZATION, now.scheme(), scheme)
                        .bringing(
                                then.cache() == now.cache()
                                        ? null
                                        : then.cache().label()),
                question.with(device -> device.with(then)));
    }

    private void tokenBudgets(List<Optional<Variant>> variants) {
        int now = question.device().engine().settings().scheduling().tokenBudget();
        for (long budget : List.of(now / 2L, now * 2L)) {
            if (budget > 0 && budget <= Integer.MAX_VALUE) {
                variants.add(Variant.of(
                        Change.of(Choice.TOKEN_BUDGET, now, budget),
                        question.with(device -> device.with(device.engine().withTokenBudget((int) budget)))));
            }
        }
    }

    /// Half and twice the devices of an instance, where there is one size.
    private void instanceSizes(List<Optional<Variant>> variants) {
        Pairing now = question.problem().instances();
        if (now == null) {
            return;
        }
        otherSizes(
                Choice.PREFILL_DEVICES,
                now.prefill(),
                other -> new Pairing(other, now.decode(), now.transfer()),
                variants);
        otherSizes(
                Choice.DECODE_DEVICES,
                now.decode(),
                other -> new Pairing(now.prefill(), other, now.transfer()),
                variants);
    }

    private void otherSizes(
            Choice lever, Instances now, Function<Instances, Pairing> changed, List<Optional<Variant>> variants) {
        if (now.sizes().size() == 1) {
            int today = now.sizes().getFirst();
            for (int size : halfAndTwice(today)) {
                Instances other = new Instances(List.of(size), now.kinds());
                variants.add(Variant.of(Change.of(lever, today, size), question.with(changed.apply(other))));
            }
        }
    }

    private static List<Integer> halfAndTwice(int size) {
        List<Integer> sizes = new ArrayList<>();
        if (size % 2 == 0) {
            sizes.add(size / 2);
        }
        if (size <= Integer.MAX_VALUE / 2) {
            sizes.add(size * 2);
        }
        return sizes;
    }

    private void hitRates(List<Optional<Variant>> variants) {
        Traffic now = question.problem().demand().traffic();
        for (double rate : Variants.hitRates(now.prefixHitRate())) {
            variants.add(Variant.of(
                    Change.of(Choice.PREFIX_CACHE_HIT_RATE, now.prefixHitRate(), rate),
                    Optional.of(question.with(now.withPrefixHits(rate)))));
        }
    }
}

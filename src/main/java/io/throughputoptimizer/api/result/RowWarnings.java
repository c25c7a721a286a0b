package io.throughputoptimizer.api.result;

import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.deployment.UnratedWork;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.MixedLengths;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.SimulatedDeployment;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Warnings about a row: clauses with figures, to which reports add the place of the row and a full stop.
final class RowWarnings {
    private static final double PERCENT = 100;
    private static final double MILLIS = 1000;

    /// TTFT of the best row above which a warning is due.
    private static final double LONGEST_TTFT_MILLIS = 5000;

    /// Share of the turns that find their cache, of which nothing is said.
    private static final double FEWEST_FOUND = 0.99;

    /// Share of TTFT that clients may be spared without a word of it.
    private static final double LONG_WAIT = 0.1;

    /// Ratio of promised to sustained throughput above which a warning is due.
    private static final double MOST_PROMISED = 1.05;

    /// Requests of a data parallel rank that the serving engines run at once at the most unless they are told more.
    private static final long MOST_OF_AN_ENGINE = 4096;

    private static final String PLAN = "the plan ";

    private RowWarnings() {}

    /// Returns the warnings of a row, or null if there are none.
    ///
    /// @param smaller batch that delivers the same
    static @Nullable List<String> of(ResultRow row, Optional<SearchPoint> smaller) {
        Figures figures = row.figures();
        Double requestsPerS = row.requestsPerS();
        double promised = requestsPerS != null
                ? requestsPerS
                : figures.tokensPerSecond()
                        / row.candidate().terms().workload().outputs().mean();
        return listed(List.of(
                lateFirstToken(row.rank(), figures.ttftMillis()),
                leftOut(row.omittedRatio()),
                forgotten(figures.kept()),
                promise(PLAN, promised, figures.sustainedRequestsPerS()),
                unrated(row.candidate()),
                row.candidate().deployment().overlooked(),
                row.candidate().deployment().extrapolatedSelection(figures.tpotMillis() == null ? 0 : row.batchSize()),
                beyondEngines(PLAN, row.batchSize()),
                smaller.map(RowWarnings::same)));
    }

    /// Returns the warnings about replicas of the calibrated model.
    ///
    /// @param rank place in its table
    /// @param mostOfRank requests of a rank that it was searched up to
    /// @param promise the best of what is set back for its wide band; absent where that is no better
    static @Nullable List<String> of(
            CalibratedRow row,
            @Nullable Integer rank,
            CalibratedDemand demand,
            double mostOfRank,
            @Nullable CalibratedPoint promise) {
        CalibratedPoint at = row.at();
        return listed(Stream.concat(
                        heldAgainstSimulation(row, demand.limits()),
                        Stream.of(
                                lateFirstToken(rank, at.ttftMillis().value()),
                                wide(at.bands()),
                                untrusted(at),
                                longWait(row, demand.traffic()),
                                forgotten(at.figures().kept()),
                                promise(PLAN, at.requestsPerSecond().value(), at.sustainedRequestsPerS()),
                                endOfSearch(mostOfRank, at, demand),
                                beyondMeasured(promise),
                                lowEnd(row, demand)))
                .toList());
    }

    /// Warns where servers showed errors larger than any interval.
    private static Optional<String> untrusted(CalibratedPoint at) {
        CalibratedDeployment deployment = at.replicas().deployment();
        return Flag.untrusted(
                deployment, at.figures().concurrency() * deployment.layout().dp());
    }

    /// Returns the warnings about a prefill and a decode instance.
    static @Nullable List<String> of(PdRatioRow row) {
        return listed(List.of(
                promise(
                        "a prefill instance ",
                        row.prefill().requestsPerS(),
                        row.prefill().sustainedRequestsPerS()),
                promise(
                        "a decode instance ",
                        row.decode().requestsPerS(),
                        row.decode().sustainedRequestsPerS()),
                unrated(row.prefill().candidate(), row.decode().candidate()),
                row.decode().candidate().deployment().overlooked(),
                row.decode()
                        .candidate()
                        .deployment()
                        .extrapolatedSelection(row.decode().batchSize()),
                beyondEngines("a prefill instance ", row.prefill().batchSize()),
                beyondEngines("a decode instance ", row.decode().batchSize())));
    }

    /// Warns if no engine accepts the batch.
    ///
    /// @param who subject and a space
    private static Optional<String> beyondEngines(String who, long batchSize) {
        return batchSize > MOST_OF_AN_ENGINE
                ? Optional.of(who + "has batch size " + batchSize + "; engines run at most " + MOST_OF_AN_ENGINE
                        + " requests per rank by default; set slo.ttft_ms or batch_range to exclude such plans")
                : Optional.empty();
    }

    /// Returns the warnings about prefill and decode instances of the calibrated model.
    static @Nullable List<String> of(CalibratedRow row, CalibratedDemand demand) {
        CalibratedPoint at = row.at();
        return listed(List.of(
                forgottenByPrefill(at.figures().kept()),
                promise(PLAN, at.requestsPerSecond().value(), at.sustainedRequestsPerS()),
                endOfSearch(at.running(), at, demand),
                lowEnd(row, demand)));
    }

    /// Returns a warning if memory limits a plan that the low end of the memory band does not hold.
    private static Optional<String> lowEnd(CalibratedRow row, CalibratedDemand demand) {
        RequestLengths lengths = demand.traffic().lengths();
        return row.binds().contains(BindingLimit.MEMORY)
                ? row.memory(lengths)
                        .map(memory ->
                                (long) memory.requestsHeldLow(lengths.mean(0).cachedTokens()))
                        .filter(low -> low < row.sequences())
                        .map(low -> "the low end of the memory interval holds " + Math.max(0, low)
                                + " requests per rank; the plan runs " + row.sequences())
                : Optional.empty();
    }

    /// Returns the warnings about an instance at its share of a demand; the peak of another one sets the
    /// number of instances.
    ///
    /// @param mostOfRank requests of a rank of that one
    static @Nullable List<String> ofShare(double mostOfRank, CalibratedPoint at, CalibratedDemand demand) {
        return listed(List.of(endOfSearch(mostOfRank, at, demand)));
    }

    /// Returns the warnings about a prefill instance at its share of a demand.
    static @Nullable List<String> ofPrefill(CalibratedPoint at) {
        return listed(List.of(forgottenByPrefill(at.figures().kept())));
    }

    /// Warns if the mean of a row exceeds a limit that its simulation keeps.
    private static Stream<Optional<String>> heldAgainstSimulation(CalibratedRow row, Limits limits) {
        Double percentile = limits.percentile();
        SimulatedDeployment.Outcome simulation = row.simulation();
        return percentile == null || simulation == null
                ? Stream.of()
                : Breach.of(limits, row.at().figures()).stream()
                        .map(breach -> heldAgainst(breach, simulation.result(), limits.basis(), percentile));
    }

    private static Optional<String> heldAgainst(
            Breach mean, SimulationResult simulated, TtftBasis basis, double percent) {
        SimulationResult.Generation generation = simulated.generation();
        return switch (mean.limit()) {
            case TTFT_MILLIS ->
                Optional.of(heldAgainst(
                        basis == TtftBasis.SETTLED ? "settled TTFT" : "TTFT",
                        mean,
                        simulated.ttft().percentile(percent),
                        percent));
            case TPOT_MILLIS ->
                generation == null
                        ? Optional.empty()
                        : Optional.of(
                                heldAgainst("TPOT", mean, generation.tpot().percentile(percent), percent));
            case REQUEST_LATENCY_MILLIS ->
                Optional.of(heldAgainst(
                        "end-to-end latency", mean, simulated.requestLatency().percentile(percent), percent));
            case KV_TOKENS, REQUEST_RATE, CONCURRENCY -> Optional.empty();
        };
    }

    private static String heldAgainst(String name, Breach mean, double simulated, double percent) {
        double limit = mean.allowed();
        return name + " " + Decimals.fixed(mean.value(), Decimals.toTell(mean.value(), limit))
                + " ms is the model's mean; the target of " + Decimals.shortest(limit)
                + " ms applies to p" + Decimals.shortest(percent) + " of the simulation, "
                + Decimals.fixed(simulated, Decimals.toTell(simulated, limit)) + " ms";
    }

    /// Warns if the best row's TTFT exceeds 5 s.
    private static Optional<String> lateFirstToken(@Nullable Integer rank, @Nullable Double ttftMillis) {
        return rank != null && rank == 1 && ttftMillis != null && ttftMillis > LONGEST_TTFT_MILLIS
                ? Optional.of("TTFT is " + Decimals.fixed(ttftMillis / MILLIS, 1)
                        + " s; set slo.ttft_ms for a plan with a lower TTFT")
                : Optional.empty();
    }

    /// Warns if conversations lose their cached prefix to evictions.
    private static Optional<String> forgotten(@Nullable PrefixCacheStats kept) {
        return forgotten(kept, "of a rank ", "");
    }

    /// Warns if conversations lose their cached prefix to evictions on prefill instances.
    private static Optional<String> forgottenByPrefill(@Nullable PrefixCacheStats kept) {
        return forgotten(kept, "", " of a prefill rank");
    }

    private static Optional<String> forgotten(@Nullable PrefixCacheStats kept, String whose, String where) {
        return kept != null && kept.neededTokens() > 0 && kept.found() < FEWEST_FOUND
                ? Optional.of(
                        "the KV cache" + where + " is too small: " + Decimals.fixed(PERCENT * (1 - kept.found()), 1)
                                + "% of the turns after the first do not find the previous turn; "
                                + Decimals.fixed(kept.conversations(), 1) + " open conversations " + whose + "need "
                                + Decimals.grouped(kept.neededTokens(), 0) + " cached tokens, and "
                                + Decimals.grouped(kept.roomTokens(), 0) + " are available")
                : Optional.empty();
    }

    /// Larger batches might deliver more than the engine runs by default.
    private static Optional<String> endOfSearch(double ofRank, CalibratedPoint at, CalibratedDemand demand) {
        Engine engine = at.instances().decoding().engine();
        return demand.endsAt(ofRank, engine)
                ? Optional.of(engine.backend() + " runs at most " + engine.maxSequences()
                        + " requests per rank by default; set batch_range to search larger batch sizes")
                : Optional.empty();
    }

    /// A plan that is set back for its wide band promises more.
    private static Optional<String> beyondMeasured(@Nullable CalibratedPoint promise) {
        return promise == null
                ? Optional.empty()
                : Optional.of(promise.replicas().count() + " x " + sizes(promise) + " at batch size " + promise.ofRank()
                        + " promises "
                        + Decimals.grouped(promise.tokensPerSecond().value(), 0)
                        + " tokens/s, beyond what was measured");
    }

    /// Parallel sizes above 1.
    private static String sizes(CalibratedPoint at) {
        return Stream.of(at.replicas().deployment().form().label().split(" \\| "))
                .filter(size -> size.startsWith("TP=") || !size.endsWith("=1"))
                .collect(Collectors.joining(" "));
    }

    /// Warns if requests wait longer than at a smaller batch size of equal throughput.
    private static String same(SearchPoint smaller) {
        String latencies = Stream.of(
                        latency("TTFT", smaller.figures().ttftMillis()),
                        latency("TPOT", smaller.figures().tpotMillis()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" and "));
        return "batch size " + smaller.batchSize() + " has the same throughput within 0.1% at " + latencies;
    }

    private static Optional<String> latency(String name, @Nullable Double millis) {
        return Optional.ofNullable(millis).map(known -> name + " " + Decimals.general(known) + " ms");
    }

    /// Warns if claimed throughput exceeds the sustainable rate.
    ///
    /// @param who subject and a space
    private static Optional<String> promise(String who, double promised, double sustained) {
        return promised > MOST_PROMISED * sustained
                ? Optional.of(who + "promises " + Decimals.general(promised)
                        + " requests/s, but the time of its passes suffices for " + Decimals.general(sustained))
                : Optional.empty();
    }

    /// Warns if the row does not cover all requests.
    static Optional<String> leftOut(double ratio) {
        return ratio > 0
                ? Optional.of("the batch is too small for every length; its figures leave out "
                        + Decimals.general(PERCENT * ratio) + "% of the requests")
                : Optional.empty();
    }

    /// Warns if requests of mixed lengths might wait less for each other than the law says.
    private static Optional<String> longWait(CalibratedRow row, Traffic traffic) {
        SteadyFigures figures = row.at().figures();
        double wait = figures.steps().queueMillis();
        double atOnce = Math.max(0, figures.waitOfWhoAskAtOnceMillis());
        return row.simulation() == null
                        && traffic.lengths() instanceof MixedLengths
                        && traffic.rate() == null
                        && figures.correction() == null
                        && figures.simulated() == null
                        && wait - atOnce > LONG_WAIT * row.at().ttftMillis().value()
                ? Optional.of("TTFT includes " + Decimals.fixed(wait, 0)
                        + " ms of waiting for other prompts if requests arrive at any time; in a closed loop it is "
                        + Decimals.fixed(atOnce, 0) + " ms; set percentiles to simulate a closed loop")
                : Optional.empty();
    }

    /// Warns if better known rows rank before this one; uncalibrated rows have a flag instead.
    private static Optional<String> wide(Bands bands) {
        return bands.isWide() && !bands.flags().contains(Flag.UNCALIBRATED)
                ? Optional.of(
                        "the prediction interval of TTFT or TPOT is wider than 1:10; rows with narrower intervals rank higher")
                : Optional.empty();
    }

    /// Warns if work in a number format is priced as free or at the rate of another one, since the device
    /// lists no rate.
    private static Optional<String> unrated(Candidate... candidates) {
        return Stream.of(candidates)
                .map(Candidate::deployment)
                .flatMap(deployment ->
                        UnratedWork.of(deployment.model(), deployment.device(), deployment.quantization()).stream())
                .map(UnratedWork::description)
                .distinct()
                .reduce((one, other) -> one + "; " + other);
    }

    private static @Nullable List<String> listed(List<Optional<String>> warnings) {
        List<String> known = warnings.stream().flatMap(Optional::stream).toList();
        return known.isEmpty() ? null : known;
    }
}

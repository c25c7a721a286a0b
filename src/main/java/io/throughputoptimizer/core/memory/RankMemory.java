package io.throughputoptimizer.core.memory;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.memory.DeviceMemory.Basis;
import io.throughputoptimizer.core.memory.DeviceMemory.Kind;
import io.throughputoptimizer.core.memory.EngineMemory.Band;
import io.throughputoptimizer.core.memory.EngineMemory.BandClass;
import io.throughputoptimizer.core.memory.EngineMemory.Law;
import io.throughputoptimizer.core.memory.EngineMemory.Other;
import io.throughputoptimizer.core.memory.EngineMemory.Parameters;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/// Memory of one rank of a serving engine by part, in GiB of 2^30 bytes.
///
///     vLLM, vLLM-Ascend   pool = share seen - weights - activation - other - graphs
///     SGLang              pool = share (seen - other) - weights
///     TensorRT-LLM        pool = share (seen - weights - other)
///
/// @param rank settings that the parts follow from
/// @param share memory share
/// @param weights bytes of the weights by group
/// @param weightsGib sum of the weights
/// @param activationGib peak of the profiling run
/// @param otherGib memory outside the allocator: context, communicators, workspaces
/// @param graphsGib captured graphs that the share pays for
/// @param poolGib memory left to the KV cache; 0 or less where the server does not start
/// @param cache how the engine divides the pool
/// @param band errors of the pool; both 0 where a log says the pool
public record RankMemory(
        ServedRank rank,
        double share,
        Map<WeightGroup, Double> weights,
        double weightsGib,
        double activationGib,
        double otherGib,
        double graphsGib,
        double poolGib,
        KvCache cache,
        Band band) {
    public static final double GIB = 1024.0 * 1024 * 1024;

    private static final Band STATED = new Band(0, 0, true);
    private static final int IMAGE_TOKENS = 16_384;
    private static final int LARGEST_GRAPH = 512;
    private static final int MANY_EXPERT_RANKS = 8;
    private static final int MOST_RANKS = 64;
    private static final int SMALLEST_PART = 16;
    private static final double UNKNOWN_TOWER_GIB = 1;
    private static final long LONGEST_CONTEXT = 1L << 30;

    /// Part of a device's memory.
    public enum Part {
        WEIGHTS,
        ACTIVATION,
        OTHER,
        GRAPHS,
        KV_CACHE
    }

    /// Reasons to trust a memory estimate less.
    public enum Doubt {
        /// The memory that the device reports, or shares with its host, was never seen in a log.
        DEVICE,
        /// The engine version is older than the memory model.
        VERSION,
        /// No log is the basis of the band.
        UNMEASURED
    }

    /// Result of the check whether the memory suffices.
    public enum Fit {
        YES,
        NO,
        UNSURE
    }

    /// Returns the memory of a rank.
    ///
    /// @throws MemoryNotSpecifiedException if no rule covers its cache
    /// @throws io.throughputoptimizer.core.model.config.ModelConfigException if its configuration lacks a size
    public static RankMemory of(ServedRank rank) {
        Map<WeightGroup, Double> weights = RankWeights.of(rank);
        return of(rank, weights);
    }

    private static RankMemory of(ServedRank rank, Map<WeightGroup, Double> weights) {
        double weightsGib =
                weights.values().stream().mapToDouble(Double::doubleValue).sum() / GIB;
        Parameters parameters = rank.parameters();
        Law law = rank.engine().law();
        boolean profiled = law == Law.PROFILED;
        double activation = profiled ? Activation.bytes(rank, parameters) / GIB : 0;
        double other = other(rank, parameters.other());
        double graphs =
                profiled && parameters.graphsInShare() && rank.settings().graphs() ? graphsGib(rank) : 0;
        double share = rank.share();
        double seen = rank.device().seenGib();
        KvCache cache = switch (law) {
            case PROFILED -> BlockPool.of(rank);
            case STATIC_SHARE -> TokenPool.ofSglang(rank);
            case FREE_SHARE -> TokenPool.ofTensorRt(rank);
        };
        double pool = switch (law) {
            case PROFILED -> share * seen - weightsGib - activation - other - graphs;
            case STATIC_SHARE -> share * (seen - other) - weightsGib;
            case FREE_SHARE -> share * (seen - weightsGib - other);
        };
        Optional<Double> stated = statedPool(rank, cache);
        return new RankMemory(
                rank,
                share,
                weights,
                weightsGib,
                activation,
                other,
                graphs,
                stated.orElse(pool),
                cache,
                stated.isPresent() ? STATED : band(rank, weights));
    }

    /// Returns the error band of the class; wider by an estimate for a vision tower without logs.
    private static Band band(ServedRank rank, Map<WeightGroup, Double> weights) {
        Band band = requireNonNull(rank.engine().bands().get(bandClass(rank)));
        if (!rank.hasTower() || rank.model().isKnownTower()) {
            return band;
        }
        double tower = weights.getOrDefault(WeightGroup.VISION, 0.0) / GIB;
        return new Band(band.lowGib() - UNKNOWN_TOWER_GIB - 0.02 * tower, band.highGib() + 0.02 * tower, false);
    }

    private static Optional<Double> statedPool(ServedRank rank, KvCache cache) {
        MemorySettings settings = rank.settings();
        Double tokens = settings.kvTokens();
        return tokens == null ? Optional.ofNullable(settings.poolGib()) : Optional.of(cache.poolBytes(tokens) / GIB);
    }

    /// Returns this memory with other settings that leave the weights as they are.
    public RankMemory with(MemorySettings settings) {
        return of(rank.with(settings), weights);
    }

    private static double other(ServedRank rank, Other other) {
        double sum;
        if (rank.ranks() == 1) {
            sum = other.alone();
        } else if (!rank.device().linked()) {
            sum = other.unlinked();
        } else {
            sum = rank.ranks() > 2 && rank.model().experts > 0 ? other.linkedExperts() : other.linked();
        }
        return sum
                + (rank.model().delta ? other.recurrent() : 0)
                + (rank.model().compressed ? other.compressed() : 0)
                + (rank.device().kind() == Kind.UNIFIED ? other.unified() : 0);
    }

    /// Returns the memory of captured graphs, in GiB: `base + each (captured in pieces + captured whole)`.
    /// Sizes are 1, 2, 4, 8 to 256 by 8 and 272 to 512 by 16; up to `min(2 S, 512)` in pieces, up to `S` whole.
    private static double graphsGib(ServedRank rank) {
        Parameters parameters = rank.parameters();
        int sequences = rank.sequences();
        int captured = captured(Math.min(2L * sequences, LARGEST_GRAPH), sequences);
        return parameters.graphsGib() + parameters.graphGib() * captured;
    }

    private static int captured(long largest, int sequences) {
        int count = 0;
        for (int size = 1; size <= largest; size += step(size)) {
            count += size <= sequences ? 2 : 1;
        }
        return count;
    }

    private static int step(int size) {
        if (size < 4) {
            return size;
        }
        return size < 8 ? 4 : size < 256 ? 8 : 16;
    }

    private static BandClass bandClass(ServedRank rank) {
        Map<BandClass, Band> bands = rank.engine().bands();
        BandClass ofVersion = rank.parameters().band();
        if (bands.containsKey(BandClass.ALL)) {
            return BandClass.ALL;
        } else if (ofVersion != null) {
            return ofVersion;
        } else if (rank.device().kind() == Kind.UNIFIED) {
            return BandClass.UNIFIED;
        } else if (rank.model().compressed) {
            return BandClass.COMPRESSED;
        } else if (rank.model().delta) {
            return BandClass.RECURRENT;
        }
        return rank.ranks() == 1 ? BandClass.ALONE : BandClass.SEVERAL;
    }

    /// Returns the class of servers that the error band was measured on.
    public BandClass bandClass() {
        return bandClass(rank);
    }

    /// Returns the bytes of the pool that the engine can use; 0 or less if the server does not start.
    public double usableBytes() {
        return poolGib <= 0 ? poolGib * GIB : cache.usableBytes(poolGib * GIB);
    }

    /// Tokens that the engine prints.
    public long printedTokens() {
        return cache.printedTokens(poolGib * GIB);
    }

    /// Tokens that the engine prints at the low end of the band.
    public long printedTokensLow() {
        return cache.printedTokens(lowBytes());
    }

    /// Tokens that the engine prints at the high end of the band.
    public long printedTokensHigh() {
        return cache.printedTokens(highBytes());
    }

    /// Returns the KV cache at the low end of the band, in GiB; 0 or less if the server does not start there.
    public double poolLowGib() {
        return poolGib + band.lowGib();
    }

    /// Returns the largest context with which the server starts at the low end of the band, in tokens; 0 if
    /// there is none.
    public long longestContextLow() {
        long starts = 0;
        long tooLong = LONGEST_CONTEXT + 1;
        while (tooLong - starts > 1) {
            long tried = starts + (tooLong - starts) / 2;
            if (cache.admitted(lowBytes(), tried) >= 1) {
                starts = tried;
            } else {
                tooLong = tried;
            }
        }
        return starts;
    }

    private double lowBytes() {
        return poolLowGib() * GIB;
    }

    private double highBytes() {
        return (poolGib + band.highGib()) * GIB;
    }

    /// Returns the number of requests of `tokens` tokens that the engine admits.
    public double requestsAdmitted(double tokens) {
        return cache.admitted(poolGib * GIB, tokens);
    }

    /// Returns the number of requests of `tokens` tokens that the pool holds.
    public double requestsHeld(double tokens) {
        return cache.held(poolGib * GIB, tokens);
    }

    /// Returns the number of requests of `tokens` tokens that the pool holds at the low end of the band.
    public double requestsHeldLow(double tokens) {
        return cache.held(lowBytes(), tokens);
    }

    /// Returns whether the server starts: the pool admits a request of the maximum context length.
    public boolean starts() {
        return poolGib > 0 && cache.starts(poolGib * GIB);
    }

    /// Returns whether the server starts at both ends of the band, at none, or at the high end only.
    public Fit fit() {
        if (poolGib + band.lowGib() > 0 && cache.starts(lowBytes())) {
            return Fit.YES;
        }
        return poolGib + band.highGib() > 0 && cache.starts(highBytes()) ? Fit.UNSURE : Fit.NO;
    }

    /// Returns the largest part; the KV cache if only the longest request keeps the server from starting.
    public Part limitingPart() {
        double seen = share * rank.device().seenGib();
        if (weightsGib < seen && poolGib > 0) {
            return Part.KV_CACHE;
        } else if (weightsGib >= Math.max(activationGib, Math.max(otherGib, graphsGib))) {
            return Part.WEIGHTS;
        }
        return activationGib >= Math.max(otherGib, graphsGib)
                ? Part.ACTIVATION
                : otherGib >= graphsGib ? Part.OTHER : Part.GRAPHS;
    }

    /// Returns the memory that must stay outside the share, in GiB: the first sampling step and, in versions
    /// whose share does not pay for graphs, those: `0.5 + 4 S V / 2^30 + 1.1 graphs`. 0 for engines whose share
    /// excludes this memory.
    public double outsideShareGib() {
        if (rank.engine().law() != Law.PROFILED) {
            return 0;
        }
        double sampling = 4.0 * rank.sequences() * rank.model().vocabulary / GIB;
        boolean graphs = !rank.parameters().graphsInShare() && rank.settings().graphs();
        return 0.5 + sampling + (graphs ? 1.1 * graphsGib(rank) : 0);
    }

    /// Returns reasons to rely less on this memory.
    public List<Doubt> doubts() {
        List<Doubt> doubts = new ArrayList<>();
        if (rank.device().basis() == Basis.NOMINAL || rank.device().kind() == Kind.UNIFIED) {
            doubts.add(Doubt.DEVICE);
        }
        if (rank.parameters().band() == BandClass.OLD) {
            doubts.add(Doubt.VERSION);
        }
        if (!band.measured() || rank.model().isHybrid() || (rank.draftTokens() > 0 && rank.ep() > MANY_EXPERT_RANKS)) {
            doubts.add(Doubt.UNMEASURED);
        }
        return doubts;
    }

    /// Returns assumptions of the memory estimate, for people.
    public List<String> assumptions() {
        List<String> assumed =
                new ArrayList<>(rank.model().assumptions(rank.settings().tower()));
        String stated = rank.settings().version();
        EngineVersion newest = rank.engine().newest();
        if (stated != null && EngineVersion.of(stated).isEmpty()) {
            assumed.add("version \"" + stated + "\" is unknown: rules of " + newest + " apply");
        } else if (stated != null && rank.version().compareTo(newest) > 0) {
            assumed.add("version " + stated + " is newer than " + newest + ", the newest known: its rules apply");
        }
        if (rank.scheme() != null && rank.model().isQuantized()) {
            assumed.add("weights are stored as the scheme says, not as quantization_config says");
        }
        return assumed;
    }

    /// Returns changes of the settings that would let the server start, each alone, as field and value.
    public List<String> remedies() {
        MemorySettings settings = rank.settings();
        List<String> found = new ArrayList<>();
        if (settings.kvTokens() != null || settings.poolGib() != null) {
            return found;
        }
        largestShare()
                .map(share -> new Change("engine.memory_share", share, with(settings.withShare(share))))
                .filter(Change::starts)
                .ifPresent(change -> found.add(change.words()));
        halves(rank.sequences(), most -> with(settings.withSequences(most)), "engine.max_num_seqs")
                .ifPresent(found::add);
        halves(rank.tokenBudget(), most -> with(settings.withTokenBudget(most)), "engine.max_batched_tokens")
                .ifPresent(found::add);
        halves((int) rank.context(), most -> with(settings.withContext(most)), "engine.max_model_len")
                .ifPresent(found::add);
        if (rank.cacheBytes() > 1) {
            add(found, new Change("engine.kv_cache_dtype", "fp8", of(rank.withCacheBytes(1), weights)));
        }
        if (graphsGib > 0) {
            add(found, new Change("engine.cuda_graphs", false, with(settings.withoutGraphs())));
        }
        for (int tp = 2 * rank.tp(); rank.model().heads % tp == 0 && tp <= MOST_RANKS; tp *= 2) {
            Change change = new Change("parallel.tp", tp, of(rank.withTensorParallel(tp)));
            if (change.starts()) {
                found.add(change.words());
                break;
            }
        }
        return found;
    }

    /// A change of one setting, with the memory that it leads to.
    private record Change(String field, Object value, RankMemory memory) {
        private boolean starts() {
            return memory.fit() == Fit.YES;
        }

        private String words() {
            return field + ": " + value;
        }
    }

    private static void add(List<String> found, Change change) {
        if (change.starts()) {
            found.add(change.words());
        }
    }

    /// Returns the largest share that leaves enough memory outside it, rounded down to two decimals.
    private Optional<Double> largestShare() {
        double largest = rank.engine().law() == Law.PROFILED
                ? Math.floor(100 * (1 - outsideShareGib() / rank.device().seenGib())) / 100
                : 0.95;
        return largest > share ? Optional.of(largest) : Optional.empty();
    }

    /// Returns the largest of 1/2, 1/4 and so on, down to 1/16, with which the server starts.
    private static Optional<String> halves(int now, IntFunction<RankMemory> memory, String field) {
        for (int tried = now / 2; tried >= Math.max(1, now / SMALLEST_PART); tried /= 2) {
            Change change = new Change(field, tried, memory.apply(tried));
            if (change.starts()) {
                return Optional.of(change.words());
            }
        }
        return Optional.empty();
    }

    /// Peak of the profiling run of vLLM, in bytes: the largest of
    ///
    ///     sampler = S V' b + [top-k buffer: 4 min(SMs, S) V'] + 2 T H + experts + tower + constant
    ///     forward = T (6 W/tp + 8 H) + experts + [tower: 2 T H] + constant
    ///     image   = 4 n (8 h + 4 i/tp) + 2 n H + constant, of Qwen's towers with images of n = 16384 tokens
    ///     experts = 2 T k (max(I_e', H) + max(2 I_e', H)), of versions that keep workspaces; not of MXFP4
    ///     tower   = 2 T H + constant
    ///
    /// `W` is the width of the dense network; with experts that of dense layers, or of shared experts.
    private record Activation(ServedRank rank, Parameters parameters) {

        static double bytes(ServedRank rank, Parameters parameters) {
            Activation of = new Activation(rank, parameters);
            return Math.max(of.sampler(), Math.max(of.forward(), of.image()));
        }

        private double hidden() {
            return 2.0 * rank.tokenBudget() * rank.model().hidden;
        }

        private double sampler() {
            double vocabulary = rank.model().paddedVocabulary();
            int sequences = rank.sequences();
            double buffer = parameters.topkBuffer()
                    ? 4.0 * Math.min(rank.device().multiprocessors(), sequences) * vocabulary
                    : 0;
            double tower = rank.hasTower() ? hidden() + parameters.towerGib() * GIB : 0;
            return sequences * vocabulary * parameters.logitsBytes()
                    + buffer
                    + hidden()
                    + experts()
                    + tower
                    + parameters.samplerGib() * GIB;
        }

        private double forward() {
            MemoryModel model = rank.model();
            double width = model.intermediate;
            if (model.experts > 0) {
                width = model.firstDense > 0 ? model.denseWidth : model.sharedWidth;
            }
            return rank.tokenBudget() * (6 * width / rank.tp() + 8.0 * model.hidden)
                    + experts()
                    + (rank.hasTower() ? hidden() : 0)
                    + parameters.forwardGib() * GIB;
        }

        private double image() {
            HuggingFaceConfig tower = rank.model().vision;
            if (tower == null
                    || !rank.hasTower()
                    || MemoryModel.whole(tower, "spatial_merge_size", 0) == 0
                    || !tower.has("depth")) {
                return 0;
            }
            double width = MemoryModel.whole(tower, "hidden_size", 0);
            double inner = MemoryModel.whole(tower, "intermediate_size", (long) (4 * width));
            return 4.0 * IMAGE_TOKENS * (8 * width + 4 * inner / rank.tp())
                    + 2.0 * IMAGE_TOKENS * rank.model().hidden
                    + parameters.forwardGib() * GIB;
        }

        private double experts() {
            MemoryModel model = rank.model();
            if (model.experts == 0
                    || !parameters.expertWorkspaces()
                    || rank.experts(Math.min(9, model.layers - 1)).equals(WeightFormat.MXFP4)) {
                return 0;
            }
            double width = model.expertWidth / rank.moeTp();
            return 2.0
                    * rank.tokenBudget()
                    * model.expertsPerToken
                    * (Math.max(width, model.hidden) + Math.max(2 * width, model.hidden));
        }
    }
}

package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.RequestBytes;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.memory.EngineMemory.Law;
import io.throughputoptimizer.core.memory.KvCache;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// Limits of ranks of any layout, in addition to their engine's scheduler.
///
/// @param cacheTokens capacity of the KV cache of a rank, in tokens; absent if the engine's memory decides
/// @param maxRunning maximum number of admitted requests
/// @param pollInterval steps between checks for new requests
public record RankLimits(@Nullable Double cacheTokens, int maxRunning, int pollInterval) {
    /// Smallest token budget of an instance that decodes only.
    private static final int LEAST_DECODE_BUDGET = 256;

    private static final int MOST_TOKENS = 1 << 20;

    /// Tolerance of cache shares, so that rounding does not decide whether another request fits.
    private static final double ROUNDING = 1e-12;

    /// Steps of a share in commands, which have two decimals.
    private static final double SHARE_STEPS = 100;

    /// Held bytes of a request in units of `unitBytes`. Equal for equal caches, unlike a lambda.
    private record HeldTokens(KvCache cache, double unitBytes) implements CacheUse {
        @Override
        public double of(double tokens) {
            return cache.heldBytes(tokens) / unitBytes;
        }
    }

    /// Returns the settings of a server's memory as its launch command has them.
    ///
    /// @param sequences maximum sequences of a rank
    /// @param context maximum tokens of a request
    private static MemorySettings settings(CalibratedDeployment deployment, Phase phase, int sequences, long context) {
        Engine engine = deployment.engine();
        MemorySettings stated = engine.memorySettings();
        MemorySettings told = stated.withSequences(sequences);
        if (engine.memory().law() == Law.PROFILED) {
            int drafts = deployment.speculation() == null
                    ? 0
                    : deployment.speculation().drafts();
            told = told.withTokenBudget(
                    phase == Phase.DECODE
                            ? Math.clamp(sequences * (1L + drafts), LEAST_DECODE_BUDGET, MOST_TOKENS)
                            : engine.settings().scheduling().tokenBudget());
        }
        return stated.context() == null ? told.withContext(context) : told;
    }

    private RankMemory stated(RankMemory memory) {
        return cacheTokens == null
                ? memory
                : memory.with(memory.rank().settings().withKvTokens(cacheTokens));
    }

    /// Returns the memory of a rank as its launch command has it.
    ///
    /// @param sequences maximum sequences of a rank
    /// @param context maximum tokens of a request
    public static RankMemory memory(CalibratedDeployment deployment, Phase phase, int sequences, long context) {
        return starting(CalibratedMemory.of(deployment, settings(deployment, phase, sequences, context)));
    }

    /// Lowers a share that leaves too little memory outside of it for the first step.
    private static RankMemory starting(RankMemory memory) {
        double seen = memory.rank().device().seenGib();
        double largest = Math.floor(SHARE_STEPS * (1 - memory.outsideShareGib() / seen)) / SHARE_STEPS;
        return memory.outsideShareGib() == 0 || memory.share() <= largest
                ? memory
                : memory.with(memory.rank().settings().withShare(largest));
    }

    /// Returns whether the cache of a rank is known: by the engine's memory model, or given.
    public boolean isKnown(CalibratedDeployment deployment) {
        return cacheTokens != null || CalibratedMemory.isSpecified(deployment);
    }

    /// Returns the limits of a rank: with `S` sequences, the most for which the cache holds `S` requests.
    ///
    /// The cache is counted in tokens of a request of the workload: `K = held n`, where `n` are the tokens of a
    /// request and `held` the requests that the cache holds. A server that cannot admit its longest request has a
    /// cache for less than one.
    ///
    /// @throws io.throughputoptimizer.core.memory.MemoryNotSpecifiedException if the deployment has an obstacle
    public CalibratedRank.Limits of(CalibratedDeployment deployment, Phase phase, RequestLengths lengths) {
        return of(deployment, phase, lengths, deployment.engine().maxSequences());
    }

    /// Returns the limits of a rank.
    ///
    /// @param most maximum sequences to try
    public CalibratedRank.Limits of(CalibratedDeployment deployment, Phase phase, RequestLengths lengths, int most) {
        boolean prompts = phase == Phase.PREFILL;
        double tokens =
                prompts ? lengths.mean(0).inputTokens() : lengths.mean(0).cachedTokens();
        long longest = lengths.longestInput() + (prompts ? 0L : lengths.longestOutput());
        return of(deployment, phase, tokens, longest, most);
    }

    private CalibratedRank.Limits of(
            CalibratedDeployment deployment, Phase phase, double tokens, long longest, int mostSequences) {
        if (cacheTokens != null && !CalibratedMemory.isSpecified(deployment)) {
            return new CalibratedRank.Limits(cacheTokens, maxRunning, pollInterval, statedUse(deployment), null);
        }
        RankMemory memory = memory(deployment, phase, tokens, longest, mostSequences);
        if (cacheTokens != null && memory.cache().isUniform()) {
            return new CalibratedRank.Limits(cacheTokens, maxRunning, pollInterval, CacheUse.TOKENS, null);
        }
        KvCache cache = memory.cache();
        double unit = cache.heldBytes(tokens) / tokens;
        double usable = memory.usableBytes();
        double most = memory.starts() || usable <= 0
                ? usable
                : Math.min(usable, cache.heldBytes(tokens) * usable / cache.admittedBytes(longest));
        double held = most * (1 + ROUNDING) / unit;
        int sequences = memory.rank().sequences();
        if (maxRunning == Scheduling.NO_LIMIT && phase != Phase.PREFILL && sequences < mostSequences) {
            held = Math.min(held, (sequences + 1) * tokens * (1 - ROUNDING));
        }
        return new CalibratedRank.Limits(held, maxRunning, pollInterval, new HeldTokens(cache, unit), memory);
    }

    /// Returns the cache use of a request: its bytes in units of the tokens that it grows with.
    static CacheUse statedUse(CalibratedDeployment deployment) {
        RequestBytes request = CalibratedMemory.requestBytes(deployment);
        double unit = request.perToken() == 0 ? 1 : request.perToken();
        return request.isOfTokensAlone() ? CacheUse.TOKENS : tokens -> request.of(tokens) / unit;
    }

    /// Returns the memory with the most sequences for which the cache holds that many requests; fewer sequences
    /// leave more to the cache.
    private RankMemory memory(CalibratedDeployment deployment, Phase phase, double tokens, long longest, int most) {
        if (maxRunning != Scheduling.NO_LIMIT || phase == Phase.PREFILL) {
            return stated(memory(deployment, phase, phase == Phase.PREFILL ? 1 : maxRunning, longest));
        }
        RankMemory memory = stated(memory(deployment, phase, 1, longest));
        int held = 1;
        int tooMany = most + 1;
        while (tooMany - held > 1) {
            int tried = held + (tooMany - held) / 2;
            RankMemory larger = stated(starting(memory.with(settings(deployment, phase, tried, longest))));
            if (larger.usableBytes() >= tried * larger.cache().heldBytes(tokens)) {
                held = tried;
                memory = larger;
            } else {
                tooMany = tried;
            }
        }
        return memory;
    }
}

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.StateType;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.memory.EngineMemory.Law;
import io.throughputoptimizer.core.memory.EngineMemory.Mxfp4Kernel;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.RankLimits;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The engine that serves, as it comes over the wire. What is absent is as the catalogue has it for the backend.
@Only(costModel = CostModelName.CALIBRATED, needed = "set engine.backend for cost_model calibrated")
@Schema(
        name = "Engine",
        description = "Settings of the serving engine. {only}. Absent settings take the defaults of the" + " backend.")
public record EngineRequest(
        @Schema(ref = EngineRequest.BACKEND) @Required @Nullable
        PerDevice<String> backend,

        @Size(max = 256, message = "{request.name.length}") @Nullable
        String version,

        @PositiveOrZero @DecimalMax(Bounds.AMOUNT) @Nullable Double frontendMs,
        @PositiveOrZero @DecimalMax(Bounds.AMOUNT) @Nullable Double stepGapMs,
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer maxBatchedTokens,
        @Nullable PolicyName policy,
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer maxNumSeqs,
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer pollInterval,
        @Nullable CacheName kvCacheDtype,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double kvTokens,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double kvPoolGib,
        @Positive @DecimalMax("1") @Nullable Double memoryShare,
        @Min(1) @Max(Bounds.COUNT) @Nullable Integer maxModelLen,
        @Nullable Boolean cudaGraphs,
        @Nullable Boolean imageTower,
        @Nullable Mxfp4KernelName mxfp4Kernel,
        @Nullable StateName recurrentState) {

    /// Reference to the schema of a backend, which is a word or an object.
    private static final String BACKEND = "#/components/schemas/Backend";

    private static final EngineRequest EMPTY = new EngineRequest(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    /// Phases that share a step.
    public enum PolicyName {
        MIXED,
        ALTERNATE;

        private static PolicyName of(Policy policy) {
            return switch (policy) {
                case MIXED -> MIXED;
                case ALTERNATE -> ALTERNATE;
            };
        }

        private Policy toPolicy() {
            return switch (this) {
                case MIXED -> Policy.MIXED;
                case ALTERNATE -> Policy.ALTERNATE;
            };
        }
    }

    /// Element type of the KV cache.
    public enum CacheName {
        BF16,
        FP8;

        static CacheName of(CacheType type) {
            return switch (type) {
                case BF16 -> BF16;
                case FP8 -> FP8;
            };
        }

        CacheType toType() {
            return switch (this) {
                case BF16 -> CacheType.BF16;
                case FP8 -> CacheType.FP8;
            };
        }
    }

    /// Kernel of MXFP4 experts.
    public enum Mxfp4KernelName {
        MARLIN,
        TRITON,
        TRTLLM,
        NONE;

        private Mxfp4Kernel toKernel() {
            return Mxfp4Kernel.valueOf(name());
        }

        private static Mxfp4KernelName of(Mxfp4Kernel kernel) {
            return valueOf(kernel.name());
        }
    }

    /// Element type of recurrent states.
    public enum StateName {
        FLOAT32,
        BFLOAT16;

        private StateType toType() {
            return switch (this) {
                case FLOAT32 -> StateType.FLOAT32;
                case BFLOAT16 -> StateType.BFLOAT16;
            };
        }
    }

    /// Returns the engine that a search used on a device, without the front end where its instances differ in
    /// that.
    public static EngineRequest of(CalibratedDevice device) {
        Engine engine = device.engine();
        EngineSettings settings = engine.settings();
        RankLimits limits = device.limits();
        MemorySettings memory = engine.memorySettings();
        return new EngineRequest(
                PerDevice.ofAll(engine.backend()),
                memory.version(),
                engine.frontendMillis(),
                settings.stepGapMillis(),
                settings.scheduling().tokenBudget(),
                PolicyName.of(settings.scheduling().policy()),
                limits.maxRunning() == Scheduling.NO_LIMIT ? null : limits.maxRunning(),
                limits.pollInterval(),
                CacheName.of(device.precision().cache()),
                limits.cacheTokens(),
                memory.poolGib(),
                memory.share(),
                memory.context() == null ? null : Math.toIntExact(memory.context()),
                memory.graphs() ? null : false,
                memory.tower() ? null : false,
                memory.kernel() == null ? null : Mxfp4KernelName.of(memory.kernel()),
                device.precision().state() == StateType.FLOAT32 ? null : StateName.BFLOAT16);
    }

    /// Returns a copy with a backend and a type of the KV cache where the engine states none.
    ///
    /// @param engine engine of a request; absent if it states none
    public static EngineRequest withDefaults(
            @Nullable EngineRequest engine, @Nullable String backend, @Nullable CacheType cache) {
        EngineRequest given = requireNonNullElse(engine, EMPTY);
        return WireMember.copy(
                given,
                "backend",
                given.backend == null && backend != null ? PerDevice.ofAll(backend) : given.backend,
                "kvCacheDtype",
                given.kvCacheDtype == null && cache != null ? CacheName.of(cache) : given.kvCacheDtype);
    }

    /// The backend for a device, of a request that names one for each.
    public String backend(String device) {
        return requireNonNull(requireNonNull(backend).of(device));
    }

    /// Returns a copy with the values that the backend and the scheme decide filled in.
    ///
    /// @param usual as the instances serve that are asked about; a front end in which they
    ///     differ is left out
    public EngineRequest completed(Engine usual, Scheme scheme) {
        return completed(
                usual,
                scheme,
                requireNonNullElse(
                        maxBatchedTokens, usual.settings().scheduling().tokenBudget()));
    }

    /// Returns the engine for a request that has the same answer when it is sent again: SGLang reserves
    /// memory for a token budget of its own, so that a default of this service must not be stated.
    ///
    /// @param usual as in [#completed]
    public EngineRequest repeatable(Engine usual, Scheme scheme) {
        return usual.memory().law() == Law.STATIC_SHARE
                ? completed(usual, scheme, maxBatchedTokens)
                : completed(usual, scheme);
    }

    private EngineRequest completed(Engine usual, Scheme scheme, @Nullable Integer budget) {
        EngineSettings settings = usual.settings();
        return WireMember.copy(
                this,
                "backend",
                PerDevice.ofAll(usual.backend()),
                "frontendMs",
                frontendMs == null ? usual.frontendMillis() : frontendMs,
                "stepGapMs",
                requireNonNullElse(stepGapMs, settings.stepGapMillis()),
                "maxBatchedTokens",
                budget,
                "policy",
                requireNonNullElse(policy, PolicyName.of(settings.scheduling().policy())),
                "pollInterval",
                requireNonNullElse(pollInterval, 1),
                "kvCacheDtype",
                requireNonNullElse(kvCacheDtype, CacheName.of(scheme.defaultCache())));
    }

    /// Returns whether the request states the type of the KV cache. In an effective request, where every
    /// field is filled in, only a type other than the scheme's tells that.
    public boolean asksForCache(Scheme scheme) {
        boolean filledIn =
                Stream.of(frontendMs, stepGapMs, policy, pollInterval).allMatch(Objects::nonNull);
        return kvCacheDtype != null && !(filledIn && toCache() == scheme.defaultCache());
    }

    /// The engine that a request describes, [#completed] or not.
    ///
    /// @param usual what the catalogue knows of the backend
    public Engine toEngine(Engine usual) {
        EngineSettings settings = usual.settings();
        Scheduling scheduling = settings.scheduling();
        Engine engine = usual.with(new EngineSettings(
                new Scheduling(
                        policy == null ? scheduling.policy() : policy.toPolicy(),
                        requireNonNullElse(maxBatchedTokens, scheduling.tokenBudget())),
                settings.pollInterval(),
                settings.frontendMillis(),
                requireNonNullElse(stepGapMs, settings.stepGapMillis())));
        Engine told = engine.with(memorySettings());
        return frontendMs == null ? told : told.withFrontend(frontendMs);
    }

    /// Settings that the memory depends on, as far as this request states them.
    public MemorySettings memorySettings() {
        return new MemorySettings(
                version,
                memoryShare,
                maxNumSeqs,
                maxBatchedTokens,
                maxModelLen == null ? null : Long.valueOf(maxModelLen),
                !Boolean.FALSE.equals(cudaGraphs),
                !Boolean.FALSE.equals(imageTower),
                mxfp4Kernel == null ? null : mxfp4Kernel.toKernel(),
                true,
                kvPoolGib,
                kvTokens);
    }

    /// Rules between fields.
    List<Violation> inconsistencies() {
        List<String> given = Stream.of(
                        kvTokens == null ? null : "kv_tokens",
                        kvPoolGib == null ? null : "kv_pool_gib",
                        memoryShare == null ? null : "memory_share")
                .filter(Objects::nonNull)
                .toList();
        return given.size() < 2
                ? List.of()
                : List.of(new Violation(
                        "/engine/" + given.getLast(),
                        "must not be combined with engine." + given.getFirst()
                                + ": both decide the size of the KV cache. Remove one."));
    }

    /// The cache of a request that says its type.
    public CacheType toCache() {
        return requireNonNull(kvCacheDtype).toType();
    }

    /// The number formats of a [#completed] request, with a scheme.
    /// @param asStored whether weights take the memory that the checkpoint says
    public Precision toPrecision(Scheme scheme, boolean asStored) {
        return new Precision(
                scheme, toCache(), recurrentState == null ? StateType.FLOAT32 : recurrentState.toType(), asStored);
    }

    /// Refuses a type of states where the model keeps none.
    public void check(ModelArchitecture model, CatalogLookup lookup) {
        if (recurrentState != null && !model.keepsStates()) {
            lookup.refuse(
                    "/engine/recurrent_state",
                    "must not be set for " + model.family() + ", which has no linear attention. Remove it");
        }
    }

    /// Returns the limits of a rank, for an engine whose values are complete.
    public RankLimits toLimits() {
        return new RankLimits(
                kvTokens, requireNonNullElse(maxNumSeqs, Scheduling.NO_LIMIT), requireNonNull(pollInterval));
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.LongestRequest;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.ProblemOutline.Part;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Axis;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.LayoutAxis;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.SearchSpace;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Complete and valid input of the optimizer: all defaults are filled in, and all rules between its parts hold.
///
/// @param model model to serve
/// @param devices kinds of device to search, one after another; duplicates are dropped
/// @param available devices of each kind; an instance uses all devices of its kind, except in mode
///     [ProblemOutline.SearchMode#PD_RATIO], which counts the instances that fit
/// @param demand workload, latency targets and objective
/// @param serving options of all instances
/// @param search search space
/// @param dumpRecordedRows whether the result lists every recorded row
public record OptimizationProblem(
        ModelArchitecture model,
        List<DeviceProfile> devices,
        AvailableDevices available,
        Demand demand,
        Serving serving,
        Search search,
        boolean dumpRecordedRows) {

    /// Demand on the deployment.
    ///
    /// @param limits latency targets
    /// @param beyondContext whether requests may exceed the model's maximum context length
    /// @param objective objective that ranks plans; absent for the default, which rows do not name
    public record Demand(
            Workload workload,
            Limits limits,
            boolean beyondContext,
            @Nullable Objective objective) {
        /// Returns the objective that ranks plans.
        public Objective ranking() {
            return objective == null ? Objective.usual() : objective;
        }

        public Demand with(Workload other) {
            return new Demand(other, limits, beyondContext, objective);
        }

        public Demand with(Limits other) {
            return new Demand(workload, other, beyondContext, objective);
        }

        public Demand with(Objective other) {
            return new Demand(workload, limits, beyondContext, other);
        }

        /// Returns the request with the longest context; without a given number of images per request, with one
        /// image.
        public LongestRequest longest(ModelArchitecture model) {
            Workload.Images images = workload.images();
            return new LongestRequest(
                    workload.longestInput(),
                    workload.outputs().longest(),
                    images == null
                            ? 0
                            : new ImageInput(images.perRequest(1), images.height(), images.width()).tokens(model));
        }
    }

    /// Options of all instances.
    ///
    /// @param compiled whether graphs are compiled
    /// @param reservedMemoryBytes device memory kept free
    /// @param servingCostMillis time added to each disaggregated phase
    /// @param splitsSharedExperts whether shared experts are sharded over tensor parallel ranks
    /// @param fusesReductions whether a matrix product and the all-reduce of its results are one operator
    public record Serving(
            boolean compiled,
            double reservedMemoryBytes,
            double servingCostMillis,
            DraftAcceptance acceptance,
            boolean splitsSharedExperts,
            boolean fusesReductions) {}

    /// Search space.
    ///
    /// @param axes options that candidates differ in
    /// @param batches batch sizes
    /// @param instances prefill and decode instances to combine; present in mode
    ///   [ProblemOutline.SearchMode#PD_RATIO] only
    public record Search(
            SearchMode mode,
            Accounting accounting,
            Axes axes,
            BatchPlan batches,
            @Nullable Pairing instances) {

        public Search with(Axes other) {
            return new Search(mode, accounting, other, batches, instances);
        }

        public Search with(Pairing other) {
            return new Search(mode, accounting, axes, batches, other);
        }

        /// Returns whether the search counts instances, instead of applying the reference's P:D ratio rules.
        public boolean countsInstances() {
            return instances != null && !instances.isRatio();
        }
    }

    /// Values of each option; a search tries every combination.
    public record Axes(
            ParallelSizes sizes,
            DraftTokenAxis draftTokens,
            TokenBudgetAxis tokenBudgets,
            QuantizationAxis quantization) {
        public Axes with(ParallelSizes other) {
            return new Axes(other, draftTokens, tokenBudgets, quantization);
        }

        public Axes with(DraftTokenAxis other) {
            return new Axes(sizes, other, tokenBudgets, quantization);
        }

        public Axes with(TokenBudgetAxis other) {
            return new Axes(sizes, draftTokens, other, quantization);
        }

        public Axes with(QuantizationAxis other) {
            return new Axes(sizes, draftTokens, tokenBudgets, other);
        }
    }

    /// Batch sizes to try.
    ///
    /// @param range smallest and largest batch size; absent lets the strategy widen the range
    public record BatchPlan(
            BatchStrategy strategy, @Nullable BatchRange range) {
        /// Returns the smallest batch size that reaches the objective's minimum concurrency. It may lie beyond
        /// the range.
        public long least(Objective objective, ParallelLayout layout) {
            int needed = Math.ceilDiv(objective.leastConcurrency(), layout.dp());
            return range == null ? needed : Math.max(range.min(), needed);
        }
    }

    /// Creates and validates a problem.
    ///
    /// @throws InvalidProblemException if the parts do not fit together
    public OptimizationProblem(
            ModelArchitecture model,
            List<DeviceProfile> devices,
            AvailableDevices available,
            Demand demand,
            Serving serving,
            Search search,
            boolean dumpRecordedRows) {
        this.model = model;
        this.devices = devices.stream().distinct().toList();
        this.available = available;
        this.demand = demand;
        this.serving = serving;
        this.search = search;
        this.dumpRecordedRows = dumpRecordedRows;
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("devices is empty: at least one kind of device is needed");
        }
        List<Objection> objections = ProblemRules.objections(this);
        if (!objections.isEmpty()) {
            throw new InvalidProblemException(objections);
        }
    }

    /// Creates a problem with the same number of devices of every kind.
    ///
    /// @throws InvalidProblemException if the parts do not fit together
    public OptimizationProblem(
            ModelArchitecture model,
            List<DeviceProfile> devices,
            int deviceCount,
            Demand demand,
            Serving serving,
            Search search,
            boolean dumpRecordedRows) {
        this(model, devices, AvailableDevices.ofEach(deviceCount), demand, serving, search, dumpRecordedRows);
    }

    /// Returns a copy with another search space, without recorded rows.
    ///
    /// @throws InvalidProblemException if the parts do not fit together
    public OptimizationProblem with(Search other) {
        return new OptimizationProblem(model, devices, available, demand, serving, other, false);
    }

    /// Returns the objective that ranks plans: for counted instances throughput per device, unless the demand
    /// has an objective.
    Objective ranking() {
        return demand.objective() == null && search.countsInstances()
                ? new Objective.TokensPerSecondPerDevice()
                : demand.ranking();
    }

    /// Returns the outline: the parts that are present.
    ProblemOutline outline() {
        Limits limits = demand.limits();
        return new ProblemOutline(search.mode(), search.accounting(), Set.of())
                .with(Part.TTFT_LIMIT, limits.ttftMillis())
                .with(Part.TPOT_LIMIT, limits.tpotMillis())
                .with(Part.E2E_LATENCY_LIMIT, limits.requestLatencyMillis())
                .with(
                        Part.LENGTH_DISTRIBUTION,
                        demand.workload().lengths() instanceof Lengths.Mixed mixed ? mixed : null)
                .with(
                        Part.OUTPUT_DISTRIBUTION,
                        demand.workload().outputs().sole().isPresent()
                                ? null
                                : demand.workload().outputs())
                .with(Part.IMAGES, demand.workload().images())
                .with(Part.INSTANCES, search.instances())
                .with(Part.USER_RATE, demand.ranking().prefersFewRequests() ? demand.objective() : null);
    }

    /// Returns the layouts of an instance of that many devices.
    LayoutAxis layouts(int instanceDevices) {
        return LayoutAxis.of(model, search.axes().sizes(), instanceDevices);
    }

    /// Returns the candidates of an instance of that many devices. Token budgets do not apply to decode, decode
    /// context parallelism does not apply to prefill.
    SearchSpace space(Phase phase, int instanceDevices) {
        Axes axes = search.axes();
        LayoutAxis layouts = layouts(instanceDevices);
        List<Axis> others = switch (phase) {
            case PREFILL -> List.of(axes.draftTokens(), axes.tokenBudgets(), axes.quantization());
            case AGGREGATION ->
                List.of(axes.draftTokens(), axes.tokenBudgets(), axes.quantization(), layouts.contexts());
            case DECODE -> List.of(axes.draftTokens(), axes.quantization(), layouts.contexts());
        };
        return new SearchSpace(layouts, others);
    }

    /// Returns an upper bound of the points that a search of this problem evaluates. Targets and memory end
    /// most searches far below it.
    public long mostPoints() {
        return SearchRun.mostPoints(this);
    }

    /// Returns the number of candidates that a search of this problem tries.
    public long candidates() {
        return SearchRun.candidates(this);
    }

    /// Returns the execution options of passes with the given draft tokens.
    Execution execution(int draftTokens) {
        return new Execution(
                serving.compiled(),
                draftTokens,
                serving.reservedMemoryBytes(),
                search.accounting().passes(),
                serving.splitsSharedExperts(),
                serving.fusesReductions());
    }

    /// Returns a candidate of that layout, with the first value of every axis.
    Candidate candidate(DeviceProfile device, ParallelLayout layout) {
        Axes axes = search.axes();
        ServingTerms terms = new ServingTerms(
                demand.workload(),
                triedBudgets().getFirst(),
                serving.servingCostMillis(),
                serving.acceptance(),
                search.accounting(),
                search.mode() == SearchMode.PD_RATIO);
        Deployment deployment = new Deployment(
                model,
                device,
                layout,
                axes.quantization().first(),
                execution(axes.draftTokens().counts().getFirst()));
        return new Candidate(deployment, terms, Set.of());
    }

    /// Returns the token budgets to fall back to, in turn, after that of a candidate.
    List<Integer> fallbackBudgets() {
        List<Integer> tried = triedBudgets();
        return tried.subList(1, tried.size());
    }

    private List<Integer> triedBudgets() {
        return search.axes().tokenBudgets().tried(search.accounting(), demand.workload());
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.deployment.Speculation;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.ProblemOutline.Part;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One question to the optimizer, complete and sound: no default is left to fill in, and every rule that ties its parts
/// together is kept.
///
/// @param model what is served
/// @param devices kinds of device to search, one after another; duplicates are dropped
/// @param deviceCount devices available of each kind; an instance takes all of them but in mode
///     [SearchMode#PD_RATIO], which counts how many instances they hold
/// @param demand what is asked of the deployment
/// @param serving how instances run
/// @param search what is tried
/// @param dumpRecordedRows whether the result lists every recorded row
public record OptimizationProblem(
        ModelArchitecture model,
        List<DeviceProfile> devices,
        int deviceCount,
        Demand demand,
        Serving serving,
        Search search,
        boolean dumpRecordedRows) {

    /// @param objective limits on TTFT and TPOT
    public record Demand(Workload workload, ServiceObjective objective) {}

    /// How instances run.
    ///
    /// @param compiled whether graphs are compiled
    /// @param reservedMemoryBytes device memory kept free
    /// @param servingCostMillis time added to each disaggregated phase
    public record Serving(
            QuantizationScheme quantization,
            boolean compiled,
            double reservedMemoryBytes,
            double servingCostMillis,
            Speculation speculation) {}

    /// What is tried.
    ///
    /// @param sizes parallel sizes
    /// @param batches batch sizes
    /// @param maxBatchedTokens token budget of one prefill pass; absent means the accounting chooses
    /// @param instances devices per instance, present in mode [SearchMode#PD_RATIO] only
    public record Search(
            SearchMode mode,
            Accounting accounting,
            ParallelSizes sizes,
            BatchPlan batches,
            @Nullable Integer maxBatchedTokens,
            @Nullable InstanceSizes instances) {}

    /// Sizes to try per dimension. Absent: the dimension is not searched and keeps its fixed default; empty:
    /// powers of two up to the device count; otherwise the given sizes in their order.
    public record ParallelSizes(
            @Nullable List<Integer> tp,
            @Nullable List<Integer> ep,
            @Nullable List<Integer> moeDp) {}

    /// Batch sizes to try.
    ///
    /// @param range smallest and largest batch size; absent lets the strategy widen the range
    public record BatchPlan(
            BatchStrategy strategy, @Nullable BatchRange range) {}

    /// Devices of one prefill instance and of one decode instance.
    public record InstanceSizes(int prefillDevices, int decodeDevices) {
        public InstanceSizes {
            requirePositive("devices per prefill instance", prefillDevices);
            requirePositive("devices per decode instance", decodeDevices);
        }
    }

    /// @throws InvalidProblemException when the parts do not go together
    public OptimizationProblem(
            ModelArchitecture model,
            List<DeviceProfile> devices,
            int deviceCount,
            Demand demand,
            Serving serving,
            Search search,
            boolean dumpRecordedRows) {
        this.model = model;
        this.devices = devices.stream().distinct().toList();
        this.deviceCount = deviceCount;
        this.demand = demand;
        this.serving = serving;
        this.search = search;
        this.dumpRecordedRows = dumpRecordedRows;
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("devices is empty: at least one kind of device is needed");
        }
        requirePositive("device count", deviceCount);
        List<Objection> objections = ProblemRules.objections(this);
        if (!objections.isEmpty()) {
            throw new InvalidProblemException(objections);
        }
    }

    private static void requirePositive(String field, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(field + " is " + value + ": a positive whole number is needed");
        }
    }

    /// Which parts there are.
    ProblemOutline outline() {
        ServiceObjective objective = demand.objective();
        return new ProblemOutline(search.mode(), search.accounting())
                .with(Part.TTFT_LIMIT, objective.ttftMillis())
                .with(Part.TPOT_LIMIT, objective.tpotMillis())
                .with(
                        Part.LENGTH_DISTRIBUTION,
                        demand.workload().lengths() instanceof Lengths.Mixed mixed ? mixed : null)
                .with(Part.IMAGES, demand.workload().images())
                .with(Part.INSTANCES, search.instances());
    }

    /// Layouts of an instance of that many devices.
    SearchSpace space(int instanceDevices) {
        return SearchSpace.of(model, search.sizes(), instanceDevices);
    }

    /// Upper bound of the points that a search of this problem evaluates. Limits and memory end most searches far
    /// below it.
    public long mostPoints() {
        return SearchRun.mostPoints(this);
    }

    /// How passes are run on every layout.
    Deployment.Execution execution() {
        return new Deployment.Execution(
                serving.compiled(), serving.speculation().mtpTokens(), serving.reservedMemoryBytes());
    }

    /// What an instance serves, with the token budgets to try in turn.
    List<ServingTerms> servingTerms() {
        Accounting accounting = search.accounting();
        Integer given = search.maxBatchedTokens();
        List<Integer> budgets = given == null ? accounting.budget().tried(demand.workload()) : List.of(given);
        return budgets.stream()
                .map(budget -> new ServingTerms(
                        demand.workload(), budget, serving.servingCostMillis(), serving.speculation(), accounting))
                .toList();
    }
}

package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest.LayoutRequest;
import io.throughputoptimizer.api.request.MeasurementRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.Pointers;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.ServedRow;
import io.throughputoptimizer.core.feedback.Server;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.serving.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Compares a [MeasurementRequest] that keeps the rules on its records with what a plan without feedback says
/// of the same configurations: with cost model `calibrated` where the device has a calibration whose engines
/// were measured, else with `analytic` and the accounting of a lasting load, which is what benchmarks are.
public final class MeasurementReader {
    private static final String ASCEND = "vllm-ascend";

    private final Catalogs catalogs;
    private final RowPlans plans;
    private final Optimizer optimizer;

    public MeasurementReader(
            Catalogs catalogs, RequestValidator validator, ProblemReader problems, Optimizer optimizer) {
        this.catalogs = catalogs;
        this.plans = new RowPlans(validator, problems);
        this.optimizer = optimizer;
    }

    /// Rows of one server with their predictions.
    ///
    /// @param request original request
    /// @param quantization quantization with all defaults filled in
    /// @param engine engine with all defaults filled in
    /// @param kvCacheDtype element type of the KV cache
    /// @param notLearntFrom reason why no plan is calibrated with the rows; null if plans are
    public record Compared(
            MeasurementRequest request,
            CostModelName costModel,
            QuantizationRequest quantization,
            EngineRequest engine,
            String kvCacheDtype,
            @Nullable String notLearntFrom,
            List<Row> rows) {
        public Compared {
            rows = List.copyOf(rows);
        }

        /// Returns a copy with additional notes on each row.
        public Compared with(List<List<String>> notes) {
            List<Row> noted = new ArrayList<>();
            for (int index = 0; index < rows.size(); index++) {
                Row row = rows.get(index);
                noted.add(new Row(
                        row.measured,
                        row.prediction,
                        row.byTheOthers,
                        Stream.concat(notes.get(index).stream(), row.notes.stream())
                                .toList()));
            }
            return new Compared(request, costModel, quantization, engine, kvCacheDtype, notLearntFrom, noted);
        }
    }

    /// @param measured measured row with its concurrency
    /// @param prediction absent where the cost model says that the row could not run
    /// @param byTheOthers prediction calibrated by the other rows; null if there are none or if no plan is
    ///     calibrated with them
    public record Row(
            MeasuredRowRequest measured,
            @Nullable Prediction prediction,
            io.throughputoptimizer.core.feedback.@Nullable Prediction byTheOthers,
            List<String> notes) {}

    /// The prediction of a row.
    public sealed interface Prediction {
        /// @param point serving point of one instance
        record Calibrated(CalibratedPoint point) implements Prediction {}

        record Analytic(Figures figures) implements Prediction {}
    }

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public Compared read(MeasurementRequest asked) {
        MeasurementRequest request = new DeviceNames(catalogs.devices()).withNames(asked);
        String device = requireNonNull(request.device());
        EngineRequest engine = requireNonNull(request.engine());
        requireKnown(device, engine.backend(device));
        String notLearntFrom = notLearntFrom(device, engine.backend(device));
        List<Row> rows = new ArrayList<>();
        List<Violation> broken = new ArrayList<>();
        Accepted first = null;
        List<MeasuredRowRequest> measured = requireNonNull(request.rows());
        for (int index = 0; index < measured.size(); index++) {
            MeasuredRowRequest row = measured.get(index).atConcurrency();
            try {
                Accepted accepted = plans.accepted(request, row, notLearntFrom == null);
                first = first == null ? accepted : first;
                rows.add(row(row, accepted));
            } catch (InvalidRequestException e) {
                String place = "/rows/" + index;
                e.violations().forEach(violation -> broken.add(RowPlans.inMeasurements(violation, place)));
            }
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
        Accepted accepted = requireNonNull(first);
        return compared(request, accepted, notLearntFrom, byTheOthers(accepted, rows));
    }

    private void requireKnown(String device, String backend) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        lookup.device("/device", device);
        if (!catalogs.launch().containsKey(backend)) {
            lookup.engine("/engine/backend", backend);
        }
        lookup.throwIfAny();
    }

    private @Nullable String notLearntFrom(String device, String backend) {
        if (!catalogs.calibrations().containsKey(device)) {
            return device
                    + " has no calibration: rows are compared with cost model analytic, whose error no feedback was"
                    + " fitted to";
        }
        return backend.equals(ASCEND) || catalogs.engines().get(backend) == null
                ? "no server of " + backend
                        + " was measured: rows are compared with cost model analytic, whose error no feedback was fitted to"
                : null;
    }

    private Row row(MeasuredRowRequest row, Accepted accepted) {
        List<String> notes = new ArrayList<>(row.notes());
        return switch (accepted.problem()) {
            case SearchQuestion.Calibrated(var problem, var _, var _) -> {
                Prediction prediction = calibrated(row, problem, notes);
                yield new Row(row.of(problem.model()), prediction, null, List.copyOf(notes));
            }
            case SearchQuestion.Analytic(var problem, var _, var _, var _) -> {
                Prediction prediction = analytic(problem, notes);
                yield new Row(row.of(problem.model()), prediction, null, List.copyOf(notes));
            }
            case SearchQuestion.Capacity _, SearchQuestion.MeasuredCapacity _ ->
                throw new IllegalStateException("a row is no demand");
        };
    }

    /// Adds to each row a prediction that is calibrated by the other rows.
    private static List<Row> byTheOthers(Accepted accepted, List<Row> rows) {
        if (rows.size() < 2 || !(accepted.problem() instanceof SearchQuestion.Calibrated(var problem, var _, var _))) {
            return rows;
        }
        CalibratedDevice device = problem.devices().getFirst();
        List<io.throughputoptimizer.core.feedback.Prediction> predictions = new Server(
                        problem.model(), device.calibration(), device.engine(), device.precision(), device.limits())
                .byTheOthers(
                        rows.stream()
                                .map(row -> served(row.measured, problem.model()))
                                .toList(),
                        problem.coverage());
        return IntStream.range(0, rows.size())
                .mapToObj(index -> {
                    Row row = rows.get(index);
                    return new Row(row.measured, row.prediction, predictions.get(index), row.notes);
                })
                .toList();
    }

    private static ServedRow served(MeasuredRowRequest row, ModelArchitecture model) {
        LayoutRequest layout = requireNonNull(row.parallel());
        return new ServedRow(
                CalibratedDeployment.layout(model, requireNonNull(layout.tp()), layout.dp(), layout.ep()),
                requireNonNull(row.concurrency()),
                new SpreadLengths(
                        requireNonNull(row.inputLength()), requireNonNull(row.outputLength()), row.randomRangeRatio()),
                row.waves(),
                row.tpotMs(),
                row.ttftMs());
    }

    /// Rows ran, whatever the estimate of the memory says: where that has no room, the row is priced without a limit.
    private static Prediction calibrated(MeasuredRowRequest row, CalibratedProblem problem, List<String> notes) {
        CalibratedDevice device = problem.devices().getFirst();
        ParallelLayout layout = problem.layouts(device).getFirst();
        PricedReplicas replicas = PricedReplicas.of(problem, layout)
                .orElseThrow(
                        () -> refused(device.deployment(problem.model(), layout).servingObstacle()));
        int ofRank = requireNonNull(row.concurrency()) / layout.dp();
        if (replicas.at(ofRank) instanceof SteadyFigures figures) {
            return new Prediction.Calibrated(replicas.point(figures));
        }
        notes.add("the estimate of the KV cache has no room for a request: predicted without a limit");
        PricedReplicas unlimited = unlimited(replicas);
        return new Prediction.Calibrated(unlimited.point((SteadyFigures) unlimited.at(ofRank)));
    }

    private static PricedReplicas unlimited(PricedReplicas replicas) {
        return new PricedReplicas(
                replicas.terms(), replicas.instance().withoutCacheLimit(), replicas.replicas(), replicas.simulations());
    }

    private static InvalidRequestException refused(Optional<Obstacle> obstacle) {
        return new InvalidRequestException(List.of(Pointers.inDeployment(obstacle.orElseThrow())));
    }

    private @Nullable Prediction analytic(OptimizationProblem problem, List<String> notes) {
        PhaseResult found = optimizer
                .optimize(problem, SearchMonitor.SILENT)
                .devices()
                .getFirst()
                .phases()
                .getFirst();
        if (found.rows().isEmpty()) {
            notes.add("not predicted: by cost model analytic this does not fit in memory");
            return null;
        }
        return new Prediction.Analytic(found.rows().getFirst().figures());
    }

    private static Compared compared(
            MeasurementRequest request, Accepted first, @Nullable String notLearntFrom, List<Row> rows) {
        OptimizationRequest effective = first.effective();
        QuantizationRequest quantization = effective.quantization();
        EngineRequest engine = effective.engine() == null ? requireNonNull(request.engine()) : effective.engine();
        String cache = effective.isCalibrated()
                ? WireFormat.name(requireNonNull(engine.kvCacheDtype()))
                : requireNonNull(quantization.attention()).getFirst().name();
        return new Compared(
                new MeasurementRequest(
                        request.modelId(),
                        request.modelConfig(),
                        request.device(),
                        quantization,
                        request.engine(),
                        request.rows()),
                effective.isCalibrated() ? CostModelName.CALIBRATED : CostModelName.ANALYTIC,
                quantization,
                engine,
                cache,
                notLearntFrom,
                rows);
    }
}

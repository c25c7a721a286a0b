package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.measurement.MeasurementTable;
import io.throughputoptimizer.security.Caller;
import org.springframework.stereotype.Component;

/// Says whether what a caller asks can be searched. Thread-safe.
@Component
final class RequestValidation {
    private final RequestValidator validator;
    private final ProblemReader problems;
    private final MeasurementTable measurements;

    RequestValidation(RequestValidator validator, ProblemReader problems, MeasurementTable measurements) {
        this.validator = validator;
        this.problems = problems;
        this.measurements = measurements;
    }

    /// A request that can be searched.
    ///
    /// @param effective the request with everything filled in that the caller left open
    record Judged(JobRequest request, OptimizationRequest effective) {}

    /// @param includesDefaults whether the request is searched with the engine's own defaults as well
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if it cannot be searched
    Judged judge(SubmittedRequest asked, boolean includesDefaults) {
        MeasurementSets sets = measurements.sets(Caller.current()::maySee);
        OptimizationRequest request = problems.resolved(asked.request(), asked.given());
        validator.check(request);
        ProblemReader.Accepted accepted = problems.accept(request, sets);
        return new Judged(
                new JobRequest(
                        WireFormat.write(accepted.effective()),
                        accepted,
                        asked.json(),
                        asked.request(),
                        asked.given(),
                        includesDefaults),
                accepted.effective());
    }
}

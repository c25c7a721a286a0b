package io.throughputoptimizer.web;

import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.metrics.ComparisonResponse;
import io.throughputoptimizer.api.result.ContextsResponse;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.estimate.SimulationResponse.AnsweredSimulation;
import io.throughputoptimizer.api.result.measurement.TraceResponse;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio;
import io.throughputoptimizer.launch.LaunchScript;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.problem.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/// Writes a finished job, its result, a simulation, a portfolio, a trace or a comparison as the report that the caller
/// prefers.
final class ReportMessageConverter extends AbstractHttpMessageConverter<Object> {
    private final StoredFindings stored;

    ReportMessageConverter(StoredFindings stored) {
        super(
                StandardCharsets.UTF_8,
                Stream.of(ReportFormat.values())
                        .map(ReportMessageConverter::mediaType)
                        .toArray(MediaType[]::new));
        this.stored = stored;
    }

    private static MediaType mediaType(ReportFormat format) {
        return MediaType.parseMediaType(format.mediaType());
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == JobResponse.class
                || type == JobResult.class
                || type == AnsweredSimulation.class
                || type == AnsweredPortfolio.class
                || type == LaunchResponse.class
                || type == ContextsResponse.class
                || type == TraceResponse.class
                || type == ComparisonResponse.class;
    }

    @Override
    protected boolean canRead(@Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Object readInternal(Class<?> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("reports are only written");
    }

    /// @throws ProblemException if the job has no result
    @Override
    protected void writeInternal(Object value, HttpOutputMessage message) throws IOException {
        ReportFormat format = Stream.of(ReportFormat.values())
                .filter(known ->
                        mediaType(known).isCompatibleWith(message.getHeaders().getContentType()))
                .findFirst()
                .orElseThrow();
        message.getBody().write(text(value, format).getBytes(StandardCharsets.UTF_8));
    }

    private String text(Object value, ReportFormat format) {
        if (value instanceof LaunchResponse launch) {
            return LaunchScript.of(launch);
        }
        if (value instanceof AnsweredSimulation simulation) {
            return format.render(simulation);
        }
        if (value instanceof AnsweredPortfolio portfolio) {
            return format.render(portfolio);
        }
        if (value instanceof ContextsResponse contexts) {
            return format.render(contexts);
        }
        if (value instanceof ComparisonResponse comparison) {
            return comparison.text();
        }
        if (value instanceof TraceResponse trace) {
            return format.render(trace);
        }
        JobResult result = value instanceof JobResponse job ? JobLookup.result(job) : (JobResult) value;
        return format.render(stored.of(result));
    }
}

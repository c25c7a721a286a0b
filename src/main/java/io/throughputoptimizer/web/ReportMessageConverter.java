package io.throughputoptimizer.web;

import io.throughputoptimizer.job.JobResponse;
import io.throughputoptimizer.job.JobResult;
import io.throughputoptimizer.report.ReportFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/// Writes a finished job or its result as the report that the caller prefers.
final class ReportMessageConverter extends AbstractHttpMessageConverter<Object> {
    static final String CSV_VALUE = "text/csv";

    private static final MediaType CSV = MediaType.parseMediaType(CSV_VALUE);

    ReportMessageConverter() {
        super(StandardCharsets.UTF_8, MediaType.TEXT_PLAIN, CSV);
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == JobResponse.class || type == JobResult.class;
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
        JobResult result = value instanceof JobResponse job ? JobLookup.result(job) : (JobResult) value;
        ReportFormat format =
                CSV.isCompatibleWith(message.getHeaders().getContentType()) ? ReportFormat.CSV : ReportFormat.TEXT;
        message.getBody().write(format.render(StoredFindings.of(result)).getBytes(StandardCharsets.UTF_8));
    }
}

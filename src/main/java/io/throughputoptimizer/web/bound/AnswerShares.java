package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.api.job.JobListResponse;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.result.measurement.MeasurementListResponse;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;
import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/// Text of jobs, results and what is made of them that this process holds until its readers have taken it, shared
/// among callers: a quarter of the heap. Thread-safe.
@RestControllerAdvice
public final class AnswerShares implements ResponseBodyAdvice<Object> {
    private static final int OF_HEAP = 4;
    /// What one answer may need that every caller is sure of.
    private static final int OF_ALL = 32;

    private final Shares shares;
    private final Duration retryAfter;

    @Autowired
    AnswerShares(HttpLimits limits) {
        this(Runtime.getRuntime().maxMemory(), limits.retryAfter());
    }

    AnswerShares(long heapBytes, Duration retryAfter) {
        long all = heapBytes / OF_HEAP;
        this.shares = new Shares(all, all / OF_ALL);
        this.retryAfter = retryAfter;
    }

    @Override
    public boolean supports(MethodParameter method, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter method,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        hold(body);
        return body;
    }

    /// Until the request has been answered that this thread answers.
    ///
    /// @throws ProblemException if there is no more room for the caller
    void hold(@Nullable Object body) {
        long bytes = bytes(body);
        if (bytes > 0) {
            hold(bytes);
        }
    }

    /// The same for text that was made of a result.
    public void holdText(String text) {
        hold(text.length());
    }

    private void hold(long bytes) {
        Sharer sharer = Caller.currentSharer();
        if (!shares.take(sharer, bytes)) {
            throw ProblemException.answersBusy(retryAfter);
        }
        RequestContextHolder.currentRequestAttributes()
                .registerDestructionCallback(
                        AnswerShares.class.getName(),
                        () -> shares.giveBack(sharer, bytes),
                        RequestAttributes.SCOPE_REQUEST);
    }

    private static long bytes(@Nullable Object body) {
        return switch (body) {
            case JobResponse job -> bytes(job);
            case JobListResponse list ->
                list.optimizations().stream().mapToLong(AnswerShares::bytes).sum();
            case JobResult result -> result.json().length();
            case MeasurementResponse measurements -> measurements.length();
            case MeasurementListResponse list ->
                list.measurements().stream()
                        .mapToLong(MeasurementResponse::length)
                        .sum();
            case null, default -> 0;
        };
    }

    private static long bytes(JobResponse job) {
        return (long) job.request().length()
                + (job.asked() == null ? 0 : job.asked().length())
                + (job.result() == null ? 0 : job.result().json().length());
    }
}

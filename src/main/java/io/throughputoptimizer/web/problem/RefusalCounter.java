package io.throughputoptimizer.web.problem;

import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.problem.Problem;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/// Counts submissions that are answered with a problem, by its kind.
@ControllerAdvice
final class RefusalCounter implements ResponseBodyAdvice<Object> {
    private static final String SUBMISSIONS = "/api/v1/optimizations";

    private final MeterRegistry meters;

    RefusalCounter(MeterRegistry meters) {
        this.meters = meters;
        // There before the first refusal, so that a rate over it begins at 0.
        meters.counter("optimizer.jobs.refused", "reason", "queue-full");
    }

    @Override
    public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returned,
            MediaType mediaType,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (body instanceof Problem problem
                && request.getMethod().equals(HttpMethod.POST)
                && request.getURI().getPath().equals(SUBMISSIONS)) {
            meters.counter("optimizer.jobs.refused", "reason", reason(problem)).increment();
        }
        return body;
    }

    /// The kind of the problem, or what its status is called.
    private static String reason(Problem problem) {
        HttpStatus status = HttpStatus.resolve(problem.status());
        String named = status == null
                ? "other"
                : status.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return Objects.requireNonNullElse(problem.kind(), named);
    }
}

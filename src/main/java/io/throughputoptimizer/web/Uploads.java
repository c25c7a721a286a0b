package io.throughputoptimizer.web;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.stereotype.Component;

/// Bodies that may be much longer than others, and are read while they arrive: a few at a time, which callers share.
@Component
final class Uploads {
    /// Where such bodies are sent.
    static final Set<String> PATHS = Set.of(TraceController.PATH, MeasurementController.FILES);

    /// Each takes a few megabytes.
    private static final int AT_A_TIME = 8;

    private final HttpLimits limits;
    private final Shares places = new Shares(AT_A_TIME);

    Uploads(HttpLimits limits) {
        this.limits = limits;
    }

    /// What makes something of a body.
    @FunctionalInterface
    interface Reader<T> {
        T read(InputStream body, @Nullable MediaType type) throws IOException;
    }

    /// @param what it is, for people
    /// @throws ProblemException if there is no place for the caller
    /// @throws BodyTooLargeException if the body is too long
    <T> T read(HttpServletRequest request, String what, Reader<T> reader) {
        ServletServerHttpRequest message = new ServletServerHttpRequest(request);
        WireMessageConverter.requirePlain(message.getHeaders());
        if (request.getContentLengthLong() > limits.longestTrace().toBytes()) {
            throw new BodyTooLargeException(limits.longestTrace());
        }
        Sharer sharer = Caller.currentSharer();
        if (!places.take(sharer)) {
            throw ProblemException.tracesBusy(limits.retryAfter());
        }
        try {
            InputStream body = new LimitedBody(request.getInputStream(), limits.longestTrace());
            return read(body, message.getHeaders().getContentType(), reader);
        } catch (IOException e) {
            throw new HttpMessageNotReadableException("the " + what + " does not arrive", e, message);
        } finally {
            places.giveBack(sharer);
        }
    }

    /// Who sends a broken body is told so once all of it is there, since many clients listen only then.
    private static <T> T read(InputStream body, @Nullable MediaType type, Reader<T> reader) throws IOException {
        try {
            return reader.read(body, type);
        } catch (InvalidRequestException broken) {
            body.transferTo(OutputStream.nullOutputStream());
            throw broken;
        }
    }
}

package io.throughputoptimizer.web;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.bound.LimitedBody;
import io.throughputoptimizer.web.problem.ProblemException;
import io.throughputoptimizer.web.problem.ProblemException.BodyTooLargeException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.stereotype.Component;

/// Bodies that may be much longer than others, and are read while they arrive: a few at a time, which callers
/// share.
@Component
final class Uploads {
    /// Paths that accept such bodies.
    static final Set<String> PATHS = Set.of(
            TraceController.PATH,
            MeasurementController.FILES,
            EngineLogController.PATH,
            ImportController.PATH,
            ServerController.METRICS,
            ServerController.COMMANDS);

    /// Each takes a few megabytes.
    private static final int AT_A_TIME = 8;

    private static final String GZIP = "gzip";
    private static final byte[] GZIP_MAGIC = {0x1F, (byte) 0x8B};
    private static final int CHUNK = 1 << 16;

    private final HttpLimits limits;
    private final CallerQuota places = new CallerQuota(AT_A_TIME);

    Uploads(HttpLimits limits) {
        this.limits = limits;
    }

    /// A reader of a body.
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
        return read(message, what, reader);
    }

    /// Reads a body that can be compressed, by its `Content-Encoding` or its first bytes. The limit of plain
    /// bodies also holds for the unpacked body.
    <T> T readUnpacked(HttpServletRequest request, String what, Reader<T> reader) {
        ServletServerHttpRequest message = new ServletServerHttpRequest(request);
        boolean packed = WireMessageConverter.encoding(message.getHeaders()).equalsIgnoreCase(GZIP);
        if (!packed) {
            WireMessageConverter.requirePlain(message.getHeaders());
        }
        return read(message, what, (body, type) -> {
            PushbackInputStream whole = new PushbackInputStream(body, GZIP_MAGIC.length);
            if (!isPacked(whole, packed)) {
                return reader.read(whole, type);
            }
            try (GZIPInputStream unpacked = new GZIPInputStream(whole, CHUNK)) {
                return reader.read(new LimitedBody(unpacked, limits.longestTrace()), type);
            } catch (ZipException | EOFException _) {
                throw broken("must be a valid gzip file");
            }
        });
    }

    private static boolean isPacked(PushbackInputStream body, boolean said) throws IOException {
        byte[] first = body.readNBytes(GZIP_MAGIC.length);
        body.unread(first);
        boolean packed = Arrays.equals(first, GZIP_MAGIC);
        if (said && !packed) {
            throw broken("must be compressed by gzip, as its Content-Encoding says");
        }
        return packed;
    }

    private static InvalidRequestException broken(String fault) {
        return new InvalidRequestException("", fault);
    }

    private <T> T read(ServletServerHttpRequest message, String what, Reader<T> reader) {
        HttpServletRequest request = message.getServletRequest();
        if (request.getContentLengthLong() > limits.longestTrace().toBytes()) {
            throw new BodyTooLargeException(limits.longestTrace());
        }
        CallerId callerId = Caller.currentId();
        if (!places.take(callerId)) {
            throw ProblemException.tracesBusy(limits.retryAfter());
        }
        try {
            InputStream body = new LimitedBody(request.getInputStream(), limits.longestTrace());
            return read(body, message.getHeaders().getContentType(), reader);
        } catch (IOException e) {
            throw new HttpMessageNotReadableException("the " + what + " does not arrive", e, message);
        } finally {
            places.giveBack(callerId);
        }
    }

    /// Reports a broken body after all of it has arrived, because many clients listen only then.
    private static <T> T read(InputStream body, @Nullable MediaType type, Reader<T> reader) throws IOException {
        try {
            return reader.read(body, type);
        } catch (InvalidRequestException broken) {
            body.transferTo(OutputStream.nullOutputStream());
            throw broken;
        }
    }
}

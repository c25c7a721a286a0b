package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.request.AskedOptimization;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.util.unit.DataSize;

/// Reads and writes this service's records in their own [WireFormat], and refuses long bodies before it parses
/// them. JSON and YAML come in, JSON goes out.
final class WireMessageConverter extends AbstractHttpMessageConverter<Object> {
    private static final String OWN_PACKAGES = "io.throughputoptimizer.";
    private static final String PLAIN = "identity";

    private final DataSize longestBody;
    private final BodyShares bodies;
    private final LongWorkThreads threads;

    WireMessageConverter(DataSize longestBody, BodyShares bodies, LongWorkThreads threads) {
        super(MediaType.APPLICATION_JSON, MediaType.APPLICATION_YAML, MediaType.APPLICATION_PROBLEM_JSON);
        this.longestBody = longestBody;
        this.bodies = bodies;
        this.threads = threads;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type.getName().startsWith(OWN_PACKAGES);
    }

    @Override
    protected boolean canWrite(@Nullable MediaType mediaType) {
        return super.canWrite(mediaType) && !MediaType.APPLICATION_YAML.equalsTypeAndSubtype(mediaType);
    }

    @Override
    protected Object readInternal(Class<? extends Object> type, HttpInputMessage message) throws IOException {
        requirePlain(message.getHeaders());
        boolean yaml = MediaType.APPLICATION_YAML.equalsTypeAndSubtype(
                message.getHeaders().getContentType());
        WireFormat.Syntax syntax = yaml ? WireFormat.Syntax.YAML : WireFormat.Syntax.JSON;
        byte[] body = body(message);
        return threads.begin(
                body.length > LongWorkThreads.LONGEST_SHORT,
                () -> type == AskedOptimization.class
                        ? AskedOptimization.read(syntax, body)
                        : WireFormat.read(syntax, body, type));
    }

    /// Bodies are taken as they are: a compressed one could grow beyond any limit.
    static void requirePlain(HttpHeaders headers) {
        String encoding = String.join(", ", headers.getValuesAsList(HttpHeaders.CONTENT_ENCODING));
        if (!encoding.isEmpty() && !encoding.equalsIgnoreCase(PLAIN)) {
            throw ProblemException.unsupportedEncoding(encoding, PLAIN);
        }
    }

    private byte[] body(HttpInputMessage message) throws IOException {
        if (message.getHeaders().getContentLength() > longestBody.toBytes()) {
            throw new BodyTooLargeException(longestBody);
        }
        return bodies.read(message.getBody());
    }

    @Override
    protected void writeInternal(Object value, HttpOutputMessage message) throws IOException {
        Object made = switch (value) {
            case JobResponse job -> threads.end(job::made);
            case JobResult result -> threads.end(result::made);
            default -> value;
        };
        WireFormat.write(made, message.getBody());
    }
}

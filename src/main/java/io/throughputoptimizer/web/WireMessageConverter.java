package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.request.MeasurementRequest;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.api.request.SubmittedEstimate;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.web.problem.ProblemException;
import io.throughputoptimizer.web.problem.ProblemException.BodyTooLargeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
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

    /// Requests that may bring a configuration of a model along, which may be as long as nothing else.
    private static final Set<Class<?>> WITH_MODEL =
            Set.of(SubmittedRequest.class, SubmittedEstimate.class, SimulationRequest.class, MeasurementRequest.class);

    private static final MediaType MERGE_PATCH = MediaType.parseMediaType(OptimizationLabelController.MERGE_PATCH);

    private final DataSize longestBody;
    private final DataSize longestWithModel;

    WireMessageConverter(DataSize longestBody, DataSize longestWithModel) {
        super(MediaType.APPLICATION_JSON, MediaType.APPLICATION_YAML, MediaType.APPLICATION_PROBLEM_JSON, MERGE_PATCH);
        this.longestBody = longestBody;
        this.longestWithModel = longestWithModel;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type.getName().startsWith(OWN_PACKAGES);
    }

    /// Autoscaler parameters can be written as YAML too.
    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return super.canWrite(type, mediaType)
                || (type == AutoscalingResponse.class && MediaType.APPLICATION_YAML.equalsTypeAndSubtype(mediaType));
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
        byte[] body = body(message, WITH_MODEL.contains(type) && !yaml ? longestWithModel : longestBody);
        byte[] folded = folded(body);
        if (type == SubmittedSweep.class) {
            return SubmittedSweep.read(syntax, folded);
        }
        if (type == SubmittedEstimate.class) {
            return SubmittedEstimate.read(syntax, folded);
        }
        if (type == SubmittedRequest.class) {
            return SubmittedRequest.read(syntax, folded);
        }
        Object value = WireFormat.read(syntax, folded, type);
        return value instanceof OptimizationLabelController.LabelRequest label
                        && MERGE_PATCH.equalsTypeAndSubtype(message.getHeaders().getContentType())
                ? label.withoutNulls(WireFormat.read(syntax, folded, Map.class))
                : value;
    }

    /// A body that is longer than others may be, short enough without each of its model's modules by name.
    private byte[] folded(byte[] body) {
        if (body.length <= longestBody.toBytes()) {
            return body;
        }
        byte[] folded = WireFormat.withFoldedConfig(body);
        if (folded.length > longestBody.toBytes()) {
            throw new BodyTooLargeException(longestBody);
        }
        return folded;
    }

    /// Rejects compressed bodies, which could expand without limit.
    static void requirePlain(HttpHeaders headers) {
        String encoding = encoding(headers);
        if (!encoding.isEmpty() && !encoding.equalsIgnoreCase(PLAIN)) {
            throw ProblemException.unsupportedEncoding(encoding, PLAIN);
        }
    }

    /// Empty if the body is said to be plain by saying nothing.
    static String encoding(HttpHeaders headers) {
        return String.join(", ", headers.getValuesAsList(HttpHeaders.CONTENT_ENCODING));
    }

    private byte[] body(HttpInputMessage message, DataSize longest) throws IOException {
        if (message.getHeaders().getContentLength() > longest.toBytes()) {
            throw new BodyTooLargeException(longest);
        }
        byte[] bytes = message.getBody().readNBytes(Math.toIntExact(longest.toBytes()) + 1);
        if (bytes.length > longest.toBytes()) {
            throw new BodyTooLargeException(longest);
        }
        return bytes;
    }

    @Override
    protected void writeInternal(Object value, HttpOutputMessage message) throws IOException {
        if (value instanceof AutoscalingResponse files
                && MediaType.APPLICATION_YAML.equalsTypeAndSubtype(
                        message.getHeaders().getContentType())) {
            message.getBody().write(files.yaml().getBytes(StandardCharsets.UTF_8));
            return;
        }
        Object made = switch (value) {
            case JobResponse job -> job.made();
            case JobResult result -> result.made();
            default -> value;
        };
        WireFormat.write(made, message.getBody());
    }
}

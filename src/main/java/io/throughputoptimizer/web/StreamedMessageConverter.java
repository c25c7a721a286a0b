package io.throughputoptimizer.web;

import io.throughputoptimizer.report.ReportFormat;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/// Writes output while it is made, so that all of it is never in memory.
final class StreamedMessageConverter extends AbstractHttpMessageConverter<Streamed> {
    StreamedMessageConverter() {
        super(
                StandardCharsets.UTF_8,
                MediaType.APPLICATION_JSON,
                MediaType.parseMediaType(ReportFormat.VALUES),
                MediaType.parseMediaType(TraceController.JSON_LINES),
                MediaType.parseMediaType(ReportFormat.PLAIN));
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == Streamed.class;
    }

    @Override
    protected boolean canRead(@Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Streamed readInternal(Class<? extends Streamed> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("answers are only written");
    }

    @Override
    protected void writeInternal(Streamed answer, HttpOutputMessage message) throws IOException {
        MediaType type = message.getHeaders().getContentType();
        Streamed.Form form = answer.forms().entrySet().stream()
                .filter(known -> MediaType.parseMediaType(known.getKey()).isCompatibleWith(type))
                .findFirst()
                .orElseThrow()
                .getValue();
        Writer writer = new BufferedWriter(new OutputStreamWriter(message.getBody(), StandardCharsets.UTF_8));
        form.write(writer);
        writer.flush();
    }
}

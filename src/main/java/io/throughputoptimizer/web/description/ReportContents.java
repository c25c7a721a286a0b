package io.throughputoptimizer.web.description;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.StringSchema;
import io.throughputoptimizer.report.ReportFormat;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.web.method.HandlerMethod;

/// Describes the reports of [Reported] operations: a text in each format that has no example yet.
final class ReportContents implements GlobalOperationCustomizer {
    @Override
    public Operation customize(Operation operation, HandlerMethod method) {
        Reported reported = method.getMethodAnnotation(Reported.class);
        if (reported != null && !reported.inWords()) {
            Content content =
                    requireNonNull(operation.getResponses().get("200")).getContent();
            for (ReportFormat format : ReportFormat.values()) {
                content.computeIfAbsent(format.mediaType(), _ -> new MediaType().schema(new StringSchema()));
            }
        }
        return operation;
    }
}

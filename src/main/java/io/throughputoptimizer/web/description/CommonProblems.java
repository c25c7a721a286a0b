package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.throughputoptimizer.api.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;

/// Describes the problems that any operation may answer, and those of any that takes a body.
final class CommonProblems implements GlobalOperationCustomizer {
    private static final String PROBLEM = org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE;

    @Override
    public Operation customize(Operation operation, HandlerMethod method) {
        ApiResponses responses = operation.getResponses();
        String available = String.join(", ", produced(method));
        add(
                responses,
                "406",
                "None of the media types in `Accept` is available.",
                ProblemExamples.notAcceptable(available));
        if (!responses.containsKey("400")) {
            add(responses, "400", "A query parameter is unknown.", ProblemExamples.UNKNOWN_PARAMETER);
        }
        if (operation.getRequestBody() != null) {
            add(responses, "413", "The body is longer than the service takes.", ProblemExamples.TOO_LARGE);
            add(
                    responses,
                    "415",
                    "`Content-Type` is none of those that are taken, or the body is compressed.",
                    ProblemExamples.UNSUPPORTED);
        }
        add(responses, "401", "Callers need a key or token, and this is none.", ProblemExamples.KEY_NEEDED);
        add(responses, "403", "The key or token does not allow this.", ProblemExamples.ROLE_NEEDED);
        if (!responses.containsKey("429")) {
            add(responses, "429", "The caller sends more than its share.", ProblemExamples.RATE_LIMITED);
        }
        add(responses, ApiResponses.DEFAULT, "Any other error.", ProblemExamples.UNFORESEEN);
        return operation;
    }

    /// Media types that the operation answers: its own, or those of its class.
    private static List<String> produced(HandlerMethod method) {
        if (method.hasMethodAnnotation(Reported.class)) {
            return List.of(Reported.Types.all());
        }
        return Stream.of(method.getMethod(), method.getBeanType())
                .map(element -> AnnotatedElementUtils.findMergedAnnotation(element, RequestMapping.class))
                .filter(Objects::nonNull)
                .map(mapping -> List.of(mapping.produces()))
                .filter(produced -> !produced.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static void add(ApiResponses responses, String code, String description, String example) {
        MediaType problem = new MediaType()
                .schema(new Schema<>().$ref("#/components/schemas/Problem"))
                .example(WireFormat.read(example, Map.class));
        responses.addApiResponse(
                code, new ApiResponse().description(description).content(new Content().addMediaType(PROBLEM, problem)));
    }
}

package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.web.parameter.TakesParameters;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;

/// Generator of the API description, which tests write to `openapi/openapi.yaml`.
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String BEARER = "key";

    /// The server is the one that serves the description, wherever it runs.
    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("throughput-optimizer")
                        .version("1")
                        .description("""
                                Tells a capacity planner how to serve a large language model on given accelerators: which \
                                parallel layout and batch size deliver most tokens per second within the limits on TTFT \
                                and TPOT.

                                Members are snake_case, times in ms unless the name says otherwise, sizes in GB of 2^30 \
                                bytes. Absent values are left out. Unknown members of a request are refused. Every error \
                                is `application/problem+json` (RFC 9457); bad input lists each broken rule with the JSON \
                                pointer of the member. Requests may also be `application/yaml`.""")
                        .license(new License()
                                .name("Apache License, Version 2.0")
                                .url("https://www.apache.org/licenses/LICENSE-2.0")))
                .components(new Components()
                        .addSecuritySchemes(
                                BEARER,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("API key of the service, or a token of a trusted issuer."
                                                + " On the loopback address, a service can run without"
                                                + " authentication."))
                        .addSchemas("Limit", limit())
                        .addSchemas("DeviceCount", count())
                        .addSchemas("DevicePrice", price())
                        .addSchemas("Backend", perDevice("Name of an engine.", "^.{1,256}$"))
                        .addSchemas("Scheme", perDevice("Quantization of a checkpoint.", schemes())))
                .security(List.of(new SecurityRequirement().addList(BEARER), new SecurityRequirement()))
                .addServersItem(new Server().url("/"))
                .addTagsItem(new Tag()
                        .name(ApiTags.OPTIMIZATIONS)
                        .description("Searches for the best deployment of a model."))
                .addTagsItem(
                        new Tag().name(ApiTags.RESULTS).description("Results, curves and contexts of optimizations."))
                .addTagsItem(new Tag()
                        .name(ApiTags.LAUNCH)
                        .description("Launch scripts and Kubernetes manifests that start a plan."))
                .addTagsItem(
                        new Tag().name(ApiTags.SHARING).description("Links that show an optimization without a key."))
                .addTagsItem(new Tag()
                        .name(ApiTags.SWEEPS)
                        .description("Thousands of searches as one job, with a row of values for each."))
                .addTagsItem(new Tag()
                        .name(ApiTags.ESTIMATES)
                        .description("Single forward passes, priced operator by operator."))
                .addTagsItem(new Tag()
                        .name(ApiTags.SIMULATIONS)
                        .description("Single configurations under load, simulated request by request."))
                .addTagsItem(new Tag()
                        .name(ApiTags.PORTFOLIOS)
                        .description("One stock of devices for many services, planned at once."))
                .addTagsItem(
                        new Tag().name(ApiTags.MEASUREMENTS).description("Benchmark results and their predictions."))
                .addTagsItem(new Tag()
                        .name(ApiTags.CATALOG)
                        .description("Devices, models and length distributions by name."))
                .addTagsItem(new Tag().name(ApiTags.KEYS).description("API keys and their roles."));
    }

    /// A number or a word, which is in no Java type. By name, so that makers of clients make one type of it; the
    /// number comes first, since some of them take what fits first and take a number for a word.
    @SuppressWarnings({"rawtypes", "unchecked"}) // The generator's model is raw.
    private static Schema<?> limit() {
        Schema number = new Schema().types(Set.of("number")).format("double").exclusiveMinimumValue(BigDecimal.ZERO);
        Schema unlimited = new Schema().types(Set.of("string"))._enum(List.of("inf"));
        return new Schema().description("A time in ms, or `inf` for no limit.").anyOf(List.of(number, unlimited));
    }

    /// A word, or an object of words by device name. Without a type: of alternatives with an object of words some
    /// makers of clients make what cannot be compiled.
    private static Schema<?> perDevice(String description, String word) {
        return new Schema<>()
                .description(description + " In a search also an object by device name.")
                .pattern(word);
    }

    /// A number, or an object of numbers by device name: without a type, as [#perDevice].
    private static Schema<?> price() {
        return new Schema<>().description("Price of one device per hour, or an object of prices by device name.");
    }

    /// A whole number, or an object of them by device name: without a type, as [#perDevice].
    private static Schema<?> count() {
        return new Schema<>()
                .description("Number of devices of each type. A number, or an object of numbers by device name.")
                .minimum(BigDecimal.ONE)
                .maximum(BigDecimal.valueOf(Bounds.COUNT));
    }

    private static String schemes() {
        return Stream.of(Scheme.values()).map(Scheme::name).collect(Collectors.joining("|", "^(", ")$"));
    }

    /// Names the query parameters that an operation reads itself.
    @Bean
    GlobalOperationCustomizer takenParameters() {
        return (operation, method) -> {
            TakesParameters taken = method.getMethodAnnotation(TakesParameters.class);
            if (taken != null) {
                Stream.of(taken.value()).forEach(name -> operation.addParametersItem(new QueryParameter().name(name)));
            }
            return operation;
        };
    }

    @Bean
    CommonProblems commonProblems() {
        return new CommonProblems();
    }

    @Bean
    CommittedOperations committedOperations() {
        return new CommittedOperations();
    }

    @Bean
    WireSchemas wireSchemas() {
        return new WireSchemas();
    }

    /// Describes the problems that any operation may answer, and those of any that takes a body.
    static final class CommonProblems implements GlobalOperationCustomizer {
        private static final String PROBLEM = org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE;

        @Override
        public Operation customize(Operation operation, HandlerMethod method) {
            ApiResponses responses = operation.getResponses();
            List<String> consumed = listed(method, RequestMapping::consumes);
            if (operation.getRequestBody() == null && !consumed.isEmpty()) {
                operation.setRequestBody(streamed(consumed));
            }
            String available = String.join(", ", produced(method));
            add(responses, "406", "No acceptable representation.", ProblemExamples.notAcceptable(available));
            if (!responses.containsKey("400")) {
                add(responses, "400", "A query parameter is unknown.", ProblemExamples.UNKNOWN_PARAMETER);
            }
            if (operation.getRequestBody() != null) {
                add(responses, "413", "The body exceeds the maximum size.", ProblemExamples.TOO_LARGE);
                add(
                        responses,
                        "415",
                        "The `Content-Type` is not supported, or the body is compressed.",
                        ProblemExamples.UNSUPPORTED);
            }
            add(responses, "401", "Authentication required.", ProblemExamples.KEY_NEEDED)
                    .addHeaderObject("WWW-Authenticate", header("string", "The scheme, `Bearer`, and the error."));
            add(responses, "403", "The key or token lacks the role.", ProblemExamples.ROLE_NEEDED)
                    .addHeaderObject("WWW-Authenticate", header("string", "The scheme, `Bearer`, and the role."));
            if (!responses.containsKey("429")) {
                add(responses, "429", "Rate or quota limit exceeded; see `Retry-After`.", ProblemExamples.RATE_LIMITED)
                        .addHeaderObject("Retry-After", header("integer", "Seconds until the next try."));
            }
            add(responses, ApiResponses.DEFAULT, "Any other error.", ProblemExamples.UNFORESEEN);
            return operation;
        }

        /// Media types that the operation answers: its own, or those of its class.
        private static List<String> produced(HandlerMethod method) {
            if (method.hasMethodAnnotation(Reported.class)) {
                return List.of(Reported.Types.all());
            }
            return listed(method, RequestMapping::produces);
        }

        /// Returns media types of a mapping, or those of its class.
        private static List<String> listed(HandlerMethod method, Function<RequestMapping, String[]> types) {
            return Stream.of(method.getMethod(), method.getBeanType())
                    .map(element -> AnnotatedElementUtils.findMergedAnnotation(element, RequestMapping.class))
                    .filter(Objects::nonNull)
                    .map(mapping -> List.of(types.apply(mapping)))
                    .filter(listed -> !listed.isEmpty())
                    .findFirst()
                    .orElse(List.of());
        }

        /// Describes a body that is read while it arrives: an object in JSON and YAML, else text.
        private static RequestBody streamed(List<String> types) {
            Content content = new Content();
            types.forEach(type -> content.addMediaType(
                    type,
                    new MediaType()
                            .schema(new Schema<>()
                                    .types(Set.of(type.matches("application/(json|yaml)") ? "object" : "string")))));
            return new RequestBody().required(true).content(content);
        }

        private static Header header(String type, String description) {
            return new Header().description(description).schema(new Schema<>().types(Set.of(type)));
        }

        private static ApiResponse add(ApiResponses responses, String code, String description, String example) {
            MediaType problem = new MediaType()
                    .schema(new Schema<>().$ref("#/components/schemas/Problem"))
                    .example(WireFormat.read(example, Map.class));
            ApiResponse response =
                    new ApiResponse().description(description).content(new Content().addMediaType(PROBLEM, problem));
            responses.addApiResponse(code, response);
            return response;
        }
    }
}

package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.throughputoptimizer.report.ReportFormat;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;

/// Describes how the file of a benchmark is brought, and what is said beside it.
@Operation(
        operationId = "importMeasurements",
        summary = "Bring the file that a benchmark wrote",
        description =
                "The file of `vllm bench serve` (`--save-result`, also several runs of `--append-result`), SGLang's"
                        + " `bench_serving`, GuideLLM (JSON and CSV), the benchmark report of llm-d (YAML and JSON,"
                        + " versions 0.1 and 0.2), AIPerf or GenAI-Perf (JSON and CSV), as it is; JSON documents may"
                        + " follow one another. What it does not say is said beside it. Lengths are the means of the"
                        + " file. Where requests came at a rate, the mean concurrency is taken that the file has, or"
                        + " that follows by Little's law; each row says so. The file may be as long as a trace, is"
                        + " read while it arrives, and only its rows are kept.",
        parameters = {
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "model_id",
                    required = true,
                    description = "Catalogue model, or one of the hub.",
                    schema = @Schema(type = "string"),
                    example = "Qwen/Qwen3-32B"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "served_model",
                    description = "Name of the model in the file, if it differs from `model_id`.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "device",
                    required = true,
                    description = "Catalogue device.",
                    schema = @Schema(type = "string"),
                    example = "H100_SXM"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "backend",
                    required = true,
                    description = "The engine.",
                    schema = @Schema(type = "string"),
                    example = "vllm"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "version",
                    required = true,
                    description = "Its version.",
                    schema = @Schema(type = "string"),
                    example = "0.11.0"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "scheme",
                    description = "Quantization of the checkpoint. Required for devices with a calibration.",
                    schema = @Schema(type = "string"),
                    example = "FP8"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "linear",
                    description = "Quantization of the linear layers, on devices without a calibration.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "attention",
                    description = "Quantization of the KV cache, on devices without a calibration.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "kv_cache_dtype",
                    description = "Element type of the KV cache; default: that of the scheme.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "tp",
                    description = "Tensor parallel size of an instance; needed unless the file says it.",
                    schema = @Schema(type = "integer", minimum = "1"),
                    example = "2"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "dp",
                    description = "Attention data parallel size; default: 1.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "ep",
                    description = "Expert parallel size; default: 1.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "replicas",
                    description = "Equal instances that shared the load; default: 1.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "concurrency",
                    description = "Requests that clients kept outstanding at all instances, where the file does not"
                            + " say it.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "input_length",
                    description = "Input tokens of a request, where the file does not say it.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "output_length",
                    description = "Output tokens of a request, where the file does not say it.",
                    schema = @Schema(type = "integer", minimum = "1"))
        },
        requestBody =
                @RequestBody(
                        required = true,
                        content = {
                            @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "string")),
                            @Content(mediaType = ResultFileDescription.LINES, schema = @Schema(type = "string")),
                            @Content(mediaType = MediaType.APPLICATION_YAML_VALUE, schema = @Schema(type = "string")),
                            @Content(mediaType = ReportFormat.VALUES, schema = @Schema(type = "string"))
                        }))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ResultFileDescription {
    /// Objects of JSON, one a line.
    String LINES = "application/x-ndjson";
}

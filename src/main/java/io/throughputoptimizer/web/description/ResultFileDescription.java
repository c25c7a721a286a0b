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
        summary = "Import a benchmark result file",
        description = "Result file of `vllm bench serve` (`--save-result`, also several runs of `--append-result`),"
                + " SGLang's `bench_serving`, GuideLLM (JSON, CSV), the benchmark report of llm-d"
                + " (YAML and JSON, versions 0.1 and 0.2), AIPerf or GenAI-Perf (JSON, CSV), evalscope or"
                + " inference-perf (JSON), or the block that the first two print (text)."
                + " Several JSON documents can follow one another. Query parameters supply what the"
                + " file lacks. Lengths are the means of the file. For an open loop, the"
                + " concurrency is that of the file, or follows by Little's law; each row has a"
                + " note. Files can be much longer than other bodies, and only their rows are"
                + " stored.",
        parameters = {
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "model_id",
                    required = true,
                    description = "Model of the catalog or of the hub.",
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
                    description = "Catalog device.",
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
                    description = "Quantization of the linear layers. Requires a device without a calibration.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "attention",
                    description = "Quantization of the KV cache. Requires a device without a calibration.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "kv_cache_dtype",
                    description = "KV cache data type. Default: that of the scheme.",
                    schema = @Schema(type = "string")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "tp",
                    description = "Tensor parallel size of an instance. Required unless the file has it.",
                    schema = @Schema(type = "integer", minimum = "1"),
                    example = "2"),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "dp",
                    description = "Attention data parallel size. Default: 1.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "ep",
                    description = "Expert parallel size. Default: 1.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "replicas",
                    description = "Number of equal instances that shared the load. Default: 1.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "concurrency",
                    description = "Concurrent requests of all instances. Required unless the file has it.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "input_length",
                    description = "Input tokens of a request. Required unless the file has them.",
                    schema = @Schema(type = "integer", minimum = "1")),
            @Parameter(
                    in = ParameterIn.QUERY,
                    name = "output_length",
                    description = "Output tokens of a request. Required unless the file has them.",
                    schema = @Schema(type = "integer", minimum = "1"))
        },
        requestBody =
                @RequestBody(
                        required = true,
                        content = {
                            @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "string")),
                            @Content(mediaType = ResultFileDescription.LINES, schema = @Schema(type = "string")),
                            @Content(mediaType = MediaType.APPLICATION_YAML_VALUE, schema = @Schema(type = "string")),
                            @Content(mediaType = ReportFormat.VALUES, schema = @Schema(type = "string")),
                            @Content(mediaType = ReportFormat.PLAIN, schema = @Schema(type = "string"))
                        }))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ResultFileDescription {
    /// Objects of JSON, one a line.
    String LINES = "application/x-ndjson";
}

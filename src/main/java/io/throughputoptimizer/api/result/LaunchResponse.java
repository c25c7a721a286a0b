package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Commands that start a row of a result on a serving engine.
@Schema(name = "Launch", description = "Commands and files that start a row of a result on a serving engine.")
public record LaunchResponse(
        @Schema(description = "Name of the engine.", example = "vllm")
        String engine,

        @Schema(description = "Version that the options are those of.", example = "0.24.0")
        String engineVersion,

        @Schema(description = "The device; of a pair on two kinds both.", example = "H100_SXM")
        String device,

        @Schema(description = "Place of the row in its table, from 1.", example = "1")
        int rank,

        @Schema(description = "Model and its quantization.", example = "Qwen/Qwen3-32B, W8A8_DYNAMIC")
        String model,

        @Schema(
                description =
                        "Sets `MODEL`, which the commands name: the model of the row, or where that is quantized an error"
                                + " until the caller says where such a checkpoint lies.")
        String checkpoint,

        @Schema(description = "Servers, one entry per kind of instance.")
        List<ServerResponse> servers,

        @Schema(
                description = "Router in front of several servers. It sends requests to prefill and decode"
                        + " instances, or distributes them over equal servers.")
        @Nullable
        String router,

        @Schema(description = "File that `router` reads; absent where it reads none.") @Nullable
        FileResponse routerFile,

        @Schema(description = "Port that clients ask; with `router`.", example = "8192") @Nullable
        Integer routerPort,

        @Schema(description = "Notes on the commands.") List<String> notes,

        @Schema(
                description = "Options that the engine's documentation does not state explicitly. The service has"
                        + " not run the commands.")
        List<String> unsure,

        @Schema(description = "Properties of the row that the engine has no option for.")
        List<String> withoutOption,

        @Schema(
                description = "Load that the benchmarks send, in words. Requires `benchmark=true`.",
                example = "328 requests at once, 82 for each of 4 servers, to the router on port 8000; 3280 in all")
        @Nullable
        String load,

        @Schema(
                description = "Program that writes prompts, for benchmarks without options for lengths. Requires"
                        + " `benchmark=true`.")
        @Nullable
        FileResponse prompts,

        @Schema(
                description = "Benchmarks that verify the plan. Requires `benchmark=true`. Empty for decode instances"
                        + " without prefill instances.")
        @Nullable
        List<CheckResponse> checks,

        @Schema(
                description = "Measurements that improve the next plan. Requires `benchmark=true` and a plan whose rows"
                        + " can be measured.")
        @Nullable
        MeasureResponse measure) {

    /// Measurements that verify a plan.
    @Schema(name = "LaunchMeasure", description = "Measurements of one server of a plan, and their import.")
    public record MeasureResponse(
            @Schema(description = "Name of the benchmark tool.", example = "vllm bench serve")
            String tool,

            @Schema(
                    description = "Most informative concurrencies of one server: the lowest, a middle one and the"
                            + " highest of the plan.",
                    example = "[1, 9, 82]")
            List<Long> concurrencies,

            @Schema(description = "Port of the server.", example = "8001")
            int port,

            @Schema(description = "Commands to run one after another. Each writes its own result file.")
            List<String> commands,

            @Schema(
                    description = "Command that sends the results to `POST /api/v1/measurements/from-file`, with all"
                            + " fields that the files lack. Variables: `$MODEL` as in the other commands, `$PLANNER`"
                            + " the URL of this service, `$KEY` an API key, `$VERSION` of the engine.")
            String bring,

            @Schema(
                    description = "Fields for the next request, with the `id` from the response. Absent if plans cannot"
                            + " be calibrated with the set.",
                    example = "\"feedback\": {\"measurements\": [\"ID\"]}")
            @Nullable
            String next) {}

    /// Equal instances.
    @Schema(name = "LaunchedServer", description = "Equal instances.")
    public record ServerResponse(
            @Schema(
                    description = "Phase of the instances.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            String role,

            @Schema(description = "Kind of device that it runs on.", example = "H100_SXM")
            String device,

            @Schema(description = "Parallel layout of one instance.", example = "TP=8 | PP=1 | DP=1")
            String parallel,

            @Schema(description = "Devices of one.") int numDevices,

            @Schema(description = "Number of times to run the command, each time on its own devices and port.")
            int instances,

            @Schema(
                    description = "Port of the first instance. Each further instance takes the next port, as `PORT`.",
                    example = "8001")
            int port,

            @Schema(description = "Variables to set.") Map<String, String> environment,
            @Schema(description = "Command to run.") String command,

            @Schema(description = "File that the command names; absent where it names none.") @Nullable
            FileResponse file,

            @Schema(description = "Source of each option.") List<OptionResponse> options) {}

    /// A configuration file.
    @Schema(name = "LaunchFile", description = "A configuration file.")
    public record FileResponse(
            @Schema(description = "File name.", example = "mindie.json")
            String name,

            @Schema(description = "File content.") String content) {}

    /// One option of a command or a file.
    @Schema(name = "LaunchOption", description = "An option of a command or a file.")
    public record OptionResponse(
            @Schema(description = "The option as written in the command or file.", example = "--max-num-seqs 64")
            String option,

            @Schema(
                    description = "File of the engine's documentation or source that states the option.",
                    example = "docs/serving/data_parallel_deployment.md")
            String source) {}

    /// A benchmark.
    @Schema(name = "LaunchCheck", description = "A benchmark.")
    public record CheckResponse(
            @Schema(description = "Name of the benchmark tool.", example = "guidellm")
            String tool,

            @Schema(description = "Command to run.") String command,

            @Schema(
                    description = "Properties of the plan's load that the benchmark does not send; it verifies only a"
                            + " part of the plan. Absent if it sends all.")
            @Nullable
            List<String> notSent,

            @Schema(
                    description = "Options that the benchmark's documentation does not state explicitly. Absent if"
                            + " there are none.")
            @Nullable
            List<String> unsure) {}
}

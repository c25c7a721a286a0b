package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Commands that start a row of a result on a serving engine.
@Schema(name = "Launch", description = "How to start a row of a result on a serving engine.")
public record LaunchResponse(
        @Schema(description = "Name of the engine.", example = "vllm")
        String engine,

        @Schema(description = "Version that the options are those of.", example = "0.24.0")
        String engineVersion,

        @Schema(description = "The device; of a pair on two kinds both.", example = "H100_SXM")
        String device,

        @Schema(description = "Place of the row in its table, from 1.", example = "1")
        int rank,

        @Schema(description = "What is served, and how it is quantized.", example = "Qwen/Qwen3-32B, W8A8_DYNAMIC")
        String model,

        @Schema(
                description =
                        "Sets `MODEL`, which the commands name: the model of the row, or where that is quantized an error"
                                + " until the caller says where such a checkpoint lies.")
        String checkpoint,

        @Schema(description = "One entry for each kind of instance.")
        List<ServerResponse> servers,

        @Schema(
                description =
                        "What clients ask where there are several servers: it sends requests to prefill and decode"
                                + " instances, or spreads them over equal servers.")
        @Nullable
        String router,

        @Schema(description = "File that `router` reads; absent where it reads none.") @Nullable
        FileResponse routerFile,

        @Schema(description = "Port that clients ask; with `router`.", example = "8192") @Nullable
        Integer routerPort,

        @Schema(description = "What to know about the commands.")
        List<String> notes,

        @Schema(description = "What no document of the engine says outright; the service ran none of it.")
        List<String> unsure,

        @Schema(description = "What belongs to the row and the engine has no option for.")
        List<String> withoutOption,

        @Schema(
                description = "What the benchmarks send, in words; with `check=true`.",
                example = "328 requests at once, 82 for each of 4 servers, to the router on port 8000; 3280 in all")
        @Nullable
        String load,

        @Schema(
                description = "Program that writes prompts for the benchmarks, where they have no options for their"
                        + " lengths; with `check=true`.")
        @Nullable
        FileResponse prompts,

        @Schema(
                description =
                        "Benchmarks that show whether the plan holds; with `check=true`. Empty for decode instances"
                                + " that nothing feeds.")
        @Nullable
        List<CheckResponse> checks,

        @Schema(
                description =
                        "What to measure so that the next plan learns from it; with `check=true`, of plans whose rows can"
                                + " be measured.")
        @Nullable
        MeasureResponse measure) {

    /// Measurements that verify a plan.
    @Schema(name = "LaunchMeasure", description = "What to measure of one server of a plan, and how it comes back.")
    public record MeasureResponse(
            @Schema(description = "What measures it.", example = "vllm bench serve")
            String tool,

            @Schema(
                    description = "Requests outstanding at one server that teach most: the lowest, a middle and the"
                            + " highest of the plan.",
                    example = "[1, 9, 82]")
            List<Long> concurrencies,

            @Schema(description = "Port of the server.", example = "8001")
            int port,

            @Schema(description = "What to run, one after the other; results go into files of their own.")
            List<String> commands,

            @Schema(
                    description = "What brings the results to `POST /api/v1/measurements/from-file`, with all that the"
                            + " files do not say; `$MODEL` as in the other commands, `$PLANNER` this service, `$KEY` a key"
                            + " of it, `$VERSION` of the engine.")
            String bring,

            @Schema(
                    description = "Members by which the next plan names the set, with the `id` that came back; absent"
                            + " where plans do not learn from it.",
                    example = "\"feedback\": {\"measurements\": [\"ID\"]}")
            @Nullable
            String next) {}

    /// Equal instances.
    @Schema(name = "LaunchedServer", description = "Equal instances.")
    public record ServerResponse(
            @Schema(
                    description = "What they do.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            String role,

            @Schema(description = "Kind of device that it runs on.", example = "H100_SXM")
            String device,

            @Schema(description = "How the devices of one are split.", example = "TP=8 | PP=1 | DP=1")
            String parallel,

            @Schema(description = "Devices of one.") int numDevices,

            @Schema(description = "How often to run the command, each time on devices and ports of its own.")
            int instances,

            @Schema(
                    description = "Port that the first listens on; each of the others takes the next, as `PORT`.",
                    example = "8001")
            int port,

            @Schema(description = "Variables to set.") Map<String, String> environment,
            @Schema(description = "What to run.") String command,

            @Schema(description = "File that the command names; absent where it names none.") @Nullable
            FileResponse file,

            @Schema(description = "Where each option was read.")
            List<OptionResponse> options) {}

    /// A configuration file.
    @Schema(name = "LaunchFile", description = "A configuration file.")
    public record FileResponse(
            @Schema(description = "Its name.", example = "mindie.json")
            String name,

            @Schema(description = "Its content.") String content) {}

    /// One option of a command or a file.
    @Schema(name = "LaunchOption", description = "One option of a command or a file.")
    public record OptionResponse(
            @Schema(description = "As it is written.", example = "--max-num-seqs 64")
            String option,

            @Schema(
                    description = "File of the engine that it was read in.",
                    example = "docs/serving/data_parallel_deployment.md")
            String source) {}

    /// A benchmark.
    @Schema(name = "LaunchCheck", description = "A benchmark.")
    public record CheckResponse(
            @Schema(description = "What runs it.", example = "guidellm")
            String tool,

            @Schema(description = "What to run.") String command,

            @Schema(
                    description =
                            "What belongs to the load of the plan and the benchmark does not send, so that it checks a"
                                    + " part of the plan; absent when it sends all.")
            @Nullable
            List<String> notSent,

            @Schema(description = "What no document of the benchmark says outright; absent when nothing is left open.")
            @Nullable
            List<String> unsure) {}
}

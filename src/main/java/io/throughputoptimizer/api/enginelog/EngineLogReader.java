package io.throughputoptimizer.api.enginelog;

import io.throughputoptimizer.api.TextLines;
import io.throughputoptimizer.api.enginelog.Mark.Place;
import io.throughputoptimizer.api.enginelog.ServerStart.StartFailure;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/// A reader of the log that a server writes while it starts. It goes line by line and keeps facts only. A log of
/// several starts counts from the last. A figure that is no number is passed over with a warning. Used by one
/// thread.
public final class EngineLogReader {
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_COMMAND = 1 << 16;
    private static final int MOST_WARNINGS = 20;
    private static final double LARGEST = 1e12;
    private static final String SERVER_ARGS = "server_args=";
    private static final String POOL = "KV Cache is allocated.";
    private static final String TOTAL_TOKENS = "max_total_num_tokens=";
    private static final List<String> VERSIONS =
            List.of("LLM engine (v", "vLLM API server version ", "\u2588  version ");
    private static final List<String> ARGUMENTS =
            List.of("non-default args: {", " args: Namespace(", ") with config: ");
    private static final List<String> COMMANDS =
            List.of("vllm serve ", "vllm.entrypoints.", "sglang.launch_server", "sglang serve ");
    private static final List<String> UNLIKE_LAYERS =
            List.of("Setting attention block size to ", "padding layers, may waste", "Mamba Cache is allocated");
    private static final List<String> READY = List.of("Application startup complete", "The server is fired up");
    private static final List<String> ASCEND = List.of("vllm_ascend", "Platform plugin ascend is activated");

    private final List<String> warnings = new ArrayList<>();
    private final Map<Fact, ServerStart.Figure> commanded = new EnumMap<>(Fact.class);
    private final StringBuilder command = new StringBuilder();
    private ServerStart start = new ServerStart();
    private int starts = 1;
    private long vllm;
    private long sglang;
    private boolean ascend;
    private long number;

    private EngineLogReader() {}

    /// Reads a log to its end.
    ///
    /// @throws InvalidRequestException if no line is of vLLM or SGLang, if lines are of both, or if it is no text
    public static EngineLogResponse read(InputStream stream) throws IOException {
        TextLines lines = new TextLines(stream);
        EngineLogReader reader = new EngineLogReader();
        for (String line = lines.next(); line != null; line = lines.next()) {
            reader.number = lines.number();
            reader.take(line);
        }
        if (reader.number == 0) {
            throw broken("must not be empty. Send the lines that vLLM or SGLang writes while it starts.");
        }
        if (reader.vllm == 0 && reader.sglang == 0) {
            throw broken("must have lines of vLLM or SGLang, got none in " + reader.number
                    + ". Send what the server writes while"
                    + " it starts, with lines such as \"Available KV cache memory: 58.11 GiB\" or \"KV Cache is"
                    + " allocated. #tokens: 46611\".");
        }
        if (lines.cut() > 0) {
            reader.warn(lines.cut() + " lines of more than " + TextLines.LONGEST + " bytes were cut.");
        }
        reader.start.derive();
        return EngineLogResponse.of(reader.backend(), reader.start, reader.starts, reader.warnings);
    }

    static InvalidRequestException broken(String fault) {
        return new InvalidRequestException("", fault);
    }

    private String backend() {
        if (sglang > 0) {
            return "sglang";
        }
        return ascend ? "vllm-ascend" : "vllm";
    }

    private void take(String line) {
        takeCommand(line);
        takeVllm(line);
        takeSglang(line);
        if (vllm > 0 && sglang > 0) {
            throw broken("must be of one engine, got vLLM in line " + vllm + " and SGLang in line " + sglang
                    + ". Send the log of one server.");
        }
        start.layersDiffer |= contains(line, UNLIKE_LAYERS);
        ascend |= contains(line, ASCEND);
        if (contains(line, READY)) {
            start.ready = true;
            start.failure = null;
        } else if (!start.ready) {
            start.failure = StartFailure.told(line, number, start.failure);
        }
    }

    private static boolean contains(String line, List<String> words) {
        return words.stream().anyMatch(line::contains);
    }

    /// A command may go on over lines that end in a backslash.
    private void takeCommand(String line) {
        if (command.isEmpty() && !contains(line, COMMANDS)) {
            return;
        }
        String part = line.stripTrailing();
        boolean more = part.endsWith("\\");
        if (command.length() + part.length() <= LONGEST_COMMAND) {
            command.append(part, 0, part.length() - (more ? 1 : 0)).append(' ');
        }
        if (more) {
            return;
        }
        if (!start.hasMemory()) {
            Arguments.ofCommand(command.toString()).forEach((name, value) -> set(name, value, Mark.COMMAND));
            start.figures.forEach((fact, figure) -> {
                if (figure.weight() == Mark.COMMAND) {
                    commanded.put(fact, figure);
                }
            });
        }
        command.setLength(0);
    }

    private void takeVllm(String line) {
        for (String words : VERSIONS) {
            int at = line.indexOf(words);
            if (at >= 0) {
                foundVllm();
                open(words + process(line));
                start.version = new ServerStart.Name(word(line, at + words.length()), number, Mark.RESOLVED);
            }
        }
        for (String words : ARGUMENTS) {
            int at = line.indexOf(words);
            if (at >= 0) {
                Arguments.ofPython(line, at + words.length()).forEach((name, value) -> set(name, value, Mark.ARGUMENT));
            }
        }
        for (Mark mark : Mark.VLLM) {
            int at = line.indexOf(mark.words());
            if (at >= 0) {
                foundVllm();
                put(mark, line, at);
            }
        }
        if (line.contains("Using fp8 data type to store kv cache") || line.contains("fp8_ds_mla KV cache format")) {
            start.put(Fact.CACHE_BYTES, 1, number, Mark.RESOLVED);
        }
    }

    private void foundVllm() {
        vllm = vllm == 0 ? number : vllm;
    }

    private void put(Mark mark, String line, int at) {
        int after = at + mark.words().length();
        OptionalDouble value = mark.place() == Place.BEFORE
                ? LoggedNumber.before(line, at)
                : mark.fact().isMemory() ? LoggedNumber.gibAt(line, after) : LoggedNumber.at(line, after);
        put(mark.fact(), value, mark.weight(), mark.words());
        if (mark.fact() == Fact.CONCURRENCY_TOKENS) {
            put(Fact.MAX_MODEL_LEN, value, mark.weight(), mark.words());
        }
        start.gigabytes |= mark.fact() == Fact.WEIGHTS && line.contains(" GB");
        start.fixedPool |= mark.words().equals(Mark.FIXED_POOL);
    }

    private void put(Fact fact, OptionalDouble value, int weight, String words) {
        if (value.isEmpty() || Math.abs(value.getAsDouble()) > LARGEST) {
            warn("Line " + number + " has no number beside \"" + words.strip() + "\", and was passed over.");
        } else {
            start.put(fact, value.getAsDouble(), number, weight);
        }
    }

    private void takeSglang(String line) {
        int arguments = line.indexOf(SERVER_ARGS);
        if (arguments >= 0) {
            foundSglang();
            open(SERVER_ARGS);
            int from = arguments + SERVER_ARGS.length();
            int bracket = line.startsWith("{", from) ? from : line.indexOf('(', from);
            Arguments.ofPython(line, bracket + 1).forEach((name, value) -> set(name, value, Mark.ARGUMENT));
        }
        int total = line.indexOf(TOTAL_TOKENS);
        if (total >= 0) {
            foundSglang();
            Arguments.ofPython(line, total).forEach((name, value) -> set(name, value, Mark.RESOLVED));
        }
        takeSglangMemory(line);
    }

    private void takeSglangMemory(String line) {
        if (line.contains("Load weight begin. avail mem=")) {
            foundSglang();
        }
        boolean weights = line.contains("Load weight end.");
        if (weights || (sglang > 0 && line.contains("raph end. "))) {
            int usage = line.indexOf("mem usage=");
            if (usage >= 0) {
                start.gigabytes = true;
                put(
                        weights ? Fact.WEIGHTS : Fact.GRAPHS,
                        LoggedNumber.gibAt(line, usage + "mem usage=".length()),
                        Mark.RESOLVED,
                        "mem usage=");
            }
            foundSglang();
        }
        if (line.contains(POOL)) {
            foundSglang();
            double gib = gib(line, "K size: ") + gib(line, "V size: ") + gib(line, "KV size: ");
            OptionalDouble tokens = after(line, "#tokens: ");
            start.addPool(rank(line), gib, tokens.isPresent() ? tokens.getAsDouble() : null, number);
            start.gigabytes = true;
        }
        int type = line.indexOf("Using KV cache dtype: ");
        if (type >= 0) {
            foundSglang();
            set("kv-cache-dtype", word(line, type + "Using KV cache dtype: ".length()), Mark.RESOLVED);
        }
    }

    private void foundSglang() {
        sglang = sglang == 0 ? number : sglang;
    }

    private static OptionalDouble after(String line, String words) {
        int at = line.indexOf(words);
        return at < 0 ? OptionalDouble.empty() : LoggedNumber.at(line, at + words.length());
    }

    private static double gib(String line, String words) {
        int at = line.indexOf(" " + words);
        return at < 0 ? 0 : LoggedNumber.gibAt(line, at + 1 + words.length()).orElse(0);
    }

    /// A server that introduces itself a second time, after it measured its memory, was started again.
    private void open(String process) {
        if (!start.open(process) && start.hasMemory()) {
            starts++;
            warnings.clear();
            start = new ServerStart();
            start.figures.putAll(commanded);
            start.open(process);
        }
    }

    /// Returns the name of a process of vLLM, such as `EngineCore_DP0` of `(EngineCore_DP0 pid=357)`.
    private static String process(String line) {
        int end = line.indexOf(" pid=");
        return end < 0 ? "" : name(line.substring(line.lastIndexOf('(', end) + 1, end));
    }

    /// Returns the rank of a line of SGLang, such as `DP0 TP0` of `[2026-01-15 13:56:49 DP0 TP0]`.
    private static String rank(String line) {
        int end = line.indexOf(']');
        int date = line.indexOf('[') + "[2026-01-15 13:56:49".length();
        return end > date ? name(line.substring(date, end)) : "";
    }

    private static String word(String line, int begin) {
        int end = begin;
        while (end < line.length() && line.charAt(end) > ' ' && line.charAt(end) != ')') {
            end++;
        }
        return name(line.substring(begin, end));
    }

    private static String name(String text) {
        return text.length() > LONGEST_NAME ? text.substring(0, LONGEST_NAME) : text;
    }

    private void set(String name, String value, int weight) {
        switch (name) {
            case "gpu-memory-utilization", "mem-fraction-static" -> set(Fact.MEMORY_SHARE, value, weight);
            case "max-num-seqs", "max-running-requests" -> set(Fact.MAX_NUM_SEQS, value, weight);
            case "max-num-batched-tokens", "chunked-prefill-size" -> set(Fact.TOKEN_BUDGET, value, weight);
            case "max-model-len", "max-seq-len", "context-length", "context-len" ->
                set(Fact.MAX_MODEL_LEN, value, weight);
            case "max-total-num-tokens" -> set(Fact.KV_TOKENS, value, weight);
            case "tensor-parallel-size", "tp-size", "tp" -> set(Fact.TP, value, weight);
            case "data-parallel-size", "dp-size", "dp" -> set(Fact.DP, value, weight);
            case "pipeline-parallel-size", "pp-size", "pp" -> set(Fact.PP, value, weight);
            case "expert-parallel-size", "ep-size", "ep" -> set(Fact.EP, value, weight);
            case "block-size" -> set(Fact.BLOCK_TOKENS, value, weight);
            case "num-speculative-tokens" -> set(Fact.DRAFT_TOKENS, value, weight);
            case "speculative-num-steps" -> set(Fact.DRAFT_STEPS, value, weight);
            case "speculative-algorithm" -> flag(Fact.DRAFTING, !value.equals("None"), weight);
            case "enable-expert-parallel" -> flag(Fact.EXPERT_PARALLEL, value.equals("True"), weight);
            case "enable-dp-attention" -> flag(Fact.DP_ATTENTION, value.equals("True"), weight);
            case "enforce-eager", "disable-cuda-graph" -> flag(Fact.CUDA_GRAPHS, !value.equals("True"), weight);
            case "kv-cache-dtype" -> setCache(value.toLowerCase(Locale.ROOT), weight);
            case "model", "model-path" -> setModel(value, weight);
            case "compilation-config" -> {
                if (value.contains("'cudagraph_mode': <CUDAGraphMode.NONE")) {
                    flag(Fact.CUDA_GRAPHS, false, weight);
                }
            }
            case "speculative-config" -> {
                for (String words : List.of("num_spec_tokens=", "num_speculative_tokens': ")) {
                    after(value, words).ifPresent(tokens -> start.put(Fact.DRAFT_TOKENS, tokens, number, weight));
                }
            }
            default -> {
                // Says nothing about memory.
            }
        }
    }

    private void set(Fact fact, String value, int weight) {
        OptionalDouble parsed = LoggedNumber.of(value);
        if (parsed.isPresent() && parsed.getAsDouble() > 0 && parsed.getAsDouble() <= LARGEST) {
            start.put(fact, parsed.getAsDouble(), number, weight);
        }
    }

    private void flag(Fact fact, boolean value, int weight) {
        start.put(fact, value ? 1 : 0, number, weight);
    }

    /// Unless a line says more, `auto` is the 16 bits of the model.
    private void setCache(String value, int weight) {
        if (value.contains("fp8") || value.contains("float8")) {
            start.put(Fact.CACHE_BYTES, 1, number, Math.max(weight, Mark.ARGUMENT));
        } else if (value.equals("auto") || value.contains("bf16") || value.endsWith("float16")) {
            start.put(Fact.CACHE_BYTES, 2, number, value.equals("auto") ? Mark.ROUNDED : weight);
        } else if (!value.equals("none")) {
            start.unknownCache = new ServerStart.Name(name(value), number, weight);
        }
    }

    private void setModel(String value, int weight) {
        if (!value.equals("None") && !value.isEmpty() && (start.model == null || weight >= start.model.weight())) {
            start.model = new ServerStart.Name(name(value), number, weight);
        }
    }

    private void warn(String warning) {
        if (warnings.size() < MOST_WARNINGS) {
            warnings.add(warning);
        }
    }
}

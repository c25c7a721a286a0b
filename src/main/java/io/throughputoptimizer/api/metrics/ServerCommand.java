package io.throughputoptimizer.api.metrics;

import static io.throughputoptimizer.api.metrics.Scrapes.quoted;
import static io.throughputoptimizer.api.metrics.Scrapes.refused;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.TextLines;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerEngineResponse;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerParallelResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.DraftsResponse;
import io.throughputoptimizer.api.metrics.ServerCommandResponse.IgnoredResponse;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.CheckpointName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reader of one command line that starts a server of vLLM or SGLang. Used by one thread.
public final class ServerCommand {
    private static final long MOST = 1_000_000;
    private static final long MOST_TOKENS = 1_000_000_000;
    private static final long MOST_CONTEXT = 100_000_000;
    private static final long MOST_DEVICES = 1_024;
    private static final long MOST_DRAFTS = 64;
    private static final int SHOWN = 60;
    private static final long USUAL_BLOCK = 16;
    private static final String SET = "true";
    private static final Options OPTIONS = WireFormat.bundled("/metrics/commands.yaml", Options.class);
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)(?::-([^}]*))?}?");
    private static final Pattern WHOLE = Pattern.compile("(\\d{1,15})([kKmM]?)");
    private static final Map<String, Long> FACTORS =
            Map.of("", 1L, "k", 1_000L, "K", 1_024L, "m", 1_000_000L, "M", 1_048_576L);
    private static final Set<String> SEPARATORS = Set.of("|", "&&", ";", "||", "&");
    private static final Set<String> BFLOAT = Set.of("auto", "bfloat16", "bf16", "half", "float16");
    private static final Map<String, String> UNSUPPORTED = Map.of(
            "lora", "LoRA adapters are not supported.",
            "offload", "weights in host memory are not supported.",
            "task", "models that do not generate are not supported.");

    /// Properties that the caller states beside the command.
    ///
    /// @param instances number of equal instances
    public record Stated(
            int instances,
            @Nullable String device,
            @Nullable String modelId,
            @Nullable String scheme) {}

    /// Options of servers, `metrics/commands.yaml`.
    private record Options(
            Map<String, Map<String, String>> options, List<String> quiet, Map<String, String> quantization) {}

    private final Stated stated;
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> said = new HashMap<>();
    private final List<IgnoredResponse> ignored = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private String engine = "";

    private ServerCommand(Stated stated) {
        this.stated = stated;
    }

    /// Reads a command from a stream.
    public static ServerCommandResponse read(InputStream stream, Stated stated) throws IOException {
        return read(new String(stream.readNBytes(4 * TextLines.LONGEST + 1), StandardCharsets.UTF_8), stated);
    }

    /// Reads a command.
    ///
    /// @throws InvalidRequestException if it is no single command that starts a server, or if plans do not support
    ///     an option
    public static ServerCommandResponse read(String text, Stated stated) {
        if (text.length() > TextLines.LONGEST) {
            throw refused("must be at most " + TextLines.LONGEST + " characters.");
        }
        ServerCommand command = new ServerCommand(stated);
        command.take(words(text.replaceAll("\\\\\r?\n", " ")));
        return command.response();
    }

    /// Splits a command like a POSIX shell: quotes, escapes, comments.
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = null;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote == 0 && (c == '#' || " \t\r\n".indexOf(c) >= 0)) {
                i = c == '#' ? (text.indexOf('\n', i) < 0 ? text.length() : text.indexOf('\n', i)) : i;
                if (word != null) {
                    words.add(word.toString());
                    word = null;
                }
                continue;
            }
            word = word == null ? new StringBuilder() : word;
            if (c == '\\' && quote != '\'') {
                if (i + 1 == text.length()) {
                    throw refused("must be one shell command: no escaped character.");
                }
                char next = text.charAt(++i);
                word.append(quote == 0 || next == '"' || next == '\\' ? "" : "\\")
                        .append(next);
            } else if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            throw refused("must be one shell command: no closing quotation.");
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    private void take(List<String> words) {
        int begin = 0;
        while (begin < words.size() && words.get(begin).matches("(?s)[A-Za-z_]\\w*=.*")) {
            String[] pair = words.get(begin++).split("=", 2);
            environment.put(pair[0], pair[1]);
        }
        List<String> command = words.subList(begin, words.size());
        if (command.stream()
                .anyMatch(word -> SEPARATORS.contains(word) || word.startsWith("$(") || word.startsWith("`"))) {
            throw refused("must be one command without pipes, lists and substitutions. Send the command that starts the"
                    + " server alone.");
        }
        int at = program(command);
        if (engine.isEmpty()) {
            throw refused("must start a server with `vllm serve` or `python -m sglang.launch_server`. Send that command"
                    + " alone, without docker or kubectl.");
        }
        if (engine.equals("vllm") && at < command.size() && !command.get(at).startsWith("-")) {
            said.put("model", command.get(at++));
        }
        options(command, at);
    }

    /// Finds the program and returns the index of its first argument.
    private int program(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String base = word.substring(word.lastIndexOf('/') + 1);
            boolean serves = i + 1 < words.size() && words.get(i + 1).equals("serve");
            if ((base.equals("vllm") || base.equals("sglang")) && serves) {
                engine = base;
                return i + 2;
            }
            if (word.equals("vllm.entrypoints.openai.api_server") || word.equals("sglang.launch_server")) {
                engine = word.substring(0, word.indexOf('.'));
                return i + 1;
            }
        }
        return words.size();
    }

    private void options(List<String> words, int from) {
        Map<String, String> known = requireNonNull(OPTIONS.options.get(engine));
        int i = from;
        while (i < words.size()) {
            String word = words.get(i++);
            if (!word.startsWith("-")) {
                throw refused("has " + quoted(word, SHOWN) + " where an option is needed.");
            }
            int equals = word.indexOf('=');
            String value = equals < 0 ? null : word.substring(equals + 1);
            String option = equals < 0 ? word : word.substring(0, equals);
            option = option.startsWith("--") ? option.replace('_', '-') : option;
            String meaning = known.get(option);
            if (meaning == null) {
                boolean flag = OPTIONS.quiet.contains(option + "!");
                boolean quiet = flag || OPTIONS.quiet.contains(option);
                i += !flag && value == null && i < words.size() && !words.get(i).startsWith("-") ? 1 : 0;
                ignored.add(new IgnoredResponse(option, quiet ? "has no effect on a plan" : "not read"));
            } else if (meaning.endsWith("!")) {
                said.put(meaning.substring(0, meaning.length() - 1), value == null ? SET : value);
            } else if (meaning.equals("node")) {
                i += value == null ? 1 : 0;
                ignored.add(new IgnoredResponse(option, "applies to one node; a plan covers the whole instance"));
            } else {
                if (value == null && i >= words.size()) {
                    throw refused(option + ": is required to have a value.");
                }
                value = value == null ? words.get(i++) : value;
                String before = said.put(meaning, value);
                if (before != null && !before.equals(value)) {
                    throw refused(option + ": must not be given twice with different values, got " + before + " and "
                            + value + ".");
                }
            }
        }
    }

    private boolean is(String name) {
        String value = said.get(name);
        return value != null && !value.equalsIgnoreCase("false");
    }

    private @Nullable Long whole(String name, long most) {
        String text = said.get(name);
        if (text == null) {
            return null;
        }
        Matcher number = WHOLE.matcher(text);
        if (!number.matches()) {
            throw refused(name + " must be a whole number, got " + quoted(text, text.length()) + ".");
        }
        long value = Long.parseLong(number.group(1)) * requireNonNull(FACTORS.get(number.group(2)));
        if (value < 1 || value > most) {
            throw refused(name + " must be from 1 to " + most + ", got " + value + ".");
        }
        return value;
    }

    private long size(String name) {
        return requireNonNullElse(whole(name, MOST_DEVICES), 1L);
    }

    private ServerCommandResponse response() {
        for (String name : List.of("lora", "offload", "task")) {
            if (is(name) && !Set.of("generate", "0", "auto").contains(said.get(name))) {
                throw refused(requireNonNull(UNSUPPORTED.get(name)));
            }
        }
        String model = model();
        long tp = size("tp");
        long dp = size("dp");
        if (size("pp") > 1) {
            throw refused("pipeline parallelism is not supported: --pipeline-parallel-size must be 1, got " + size("pp")
                    + ".");
        }
        size("nodes");
        boolean vllm = engine.equals("vllm");
        boolean shared = !vllm && is("dpa");
        if (shared && tp % dp != 0) {
            throw refused("--dp-size must divide --tp-size with --enable-dp-attention, got " + dp + " and " + tp + ".");
        }
        long instances = stated.instances;
        if (!vllm && !shared && dp > 1) {
            instances *= dp;
            notes.add("--dp-size " + dp + " without --enable-dp-attention starts " + dp + " separate servers");
        }
        long devices = vllm ? tp * dp : tp;
        long ranks = vllm || shared ? dp : 1;
        long experts = vllm ? (is("ep") ? devices : 1) : requireNonNullElse(whole("ep", MOST), 1L);
        String modelId = model;
        if (model != null && (model.startsWith("/") || model.startsWith(".") || model.startsWith("~"))) {
            modelId = null;
            if (stated.modelId == null) {
                notes.add("model is a path; send model_id with the command");
            }
        }
        Long requests = whole("max_running", MOST);
        Long budget = null;
        if ("-1".equals(said.get("token_budget")) && !vllm) {
            notes.add("--chunked-prefill-size -1 turns chunked prefill off");
        } else if (!"-1".equals(said.get("token_budget"))) {
            budget = whole("token_budget", MOST);
        }
        Long kvTokens = whole("cache_tokens", MOST_TOKENS);
        if (said.containsKey("blocks")) {
            kvTokens = requireNonNull(whole("blocks", MOST_TOKENS))
                    * requireNonNullElse(whole("block", MOST), USUAL_BLOCK);
        }
        ServerEngineResponse settings = new ServerEngineResponse(
                engine,
                null,
                null,
                requests == null || vllm ? requests : (Long) Math.max(1, requests / ranks),
                budget == null || vllm ? budget : (Long) (budget / ranks),
                null,
                cache(),
                null,
                kvTokens,
                null);
        Long context = whole("context", MOST_CONTEXT);
        Double share = share();
        String scheme = scheme(requireNonNullElse(model, requireNonNullElse(stated.modelId, "")));
        if (is("eager")) {
            notes.add("eager mode: steps take longer than planned, because a plan uses graphs");
        }
        DraftsResponse drafts = drafts();
        String role = role();
        if (!said.getOrDefault("dcp", "1").equals("1")) {
            notes.add("decode context parallelism is not supported in comparisons");
        }
        return new ServerCommandResponse(
                settings,
                stated.modelId == null ? modelId : stated.modelId,
                said.get("served"),
                stated.device,
                new ServerParallelResponse(
                        shared ? tp / dp : tp,
                        ranks > 1 ? (Long) ranks : null,
                        experts > 1 ? (Long) experts : null,
                        null),
                devices,
                instances,
                devices * instances,
                context,
                share,
                scheme,
                !is("no_prefix"),
                drafts,
                role,
                notes,
                ignored);
    }

    /// Returns the model of the command; null if it is a variable and the caller stated the model.
    private @Nullable String model() {
        String model = said.get("model");
        if (model == null) {
            throw refused("must name a model.");
        }
        Matcher variable = VARIABLE.matcher(model);
        if (variable.matches()) {
            model = requireNonNullElse(environment.get(variable.group(1)), requireNonNullElse(variable.group(2), ""));
        }
        if (!model.isEmpty() && !model.startsWith("$")) {
            return model;
        }
        if (stated.modelId == null) {
            throw refused("must name a model, got a variable. Put its value in.");
        }
        return null;
    }

    private String cache() {
        String cache = requireNonNullElse(said.get("cache"), "auto").toLowerCase(Locale.ROOT);
        if (cache.equals("auto")) {
            notes.add("KV cache type is auto: BF16, unless the checkpoint sets another");
        }
        if (cache.startsWith("fp8") || cache.startsWith("int8")) {
            return cache.startsWith("fp8") ? "fp8" : "int8";
        }
        if (!BFLOAT.contains(cache)) {
            throw refused("--kv-cache-dtype " + cache + " is not supported; allowed: auto, bfloat16, fp8, int8.");
        }
        return "bf16";
    }

    private @Nullable Double share() {
        String text = said.get("memory_share");
        if (text == null) {
            return null;
        }
        Double share = Scrapes.number(text);
        if (share == null) {
            throw refused("memory share must be a number, got " + quoted(text, text.length()) + ".");
        }
        if (!(share > 0 && share <= 1)) {
            throw refused("memory share must be above 0 and at most 1, got " + text + ".");
        }
        return share;
    }

    private @Nullable String scheme(String model) {
        String quantization = said.get("quantization");
        if (stated.scheme != null) {
            return stated.scheme;
        }
        if (quantization != null) {
            String known = OPTIONS.quantization.get(quantization.toLowerCase(Locale.ROOT));
            if (known == null) {
                throw refused("unknown value " + quoted(quantization.toLowerCase(Locale.ROOT), SHOWN)
                        + " for --quantization; send scheme with the command.");
            }
            if (engine.equals("vllm") && quantization.equalsIgnoreCase("gptq")) {
                notes.add("--quantization gptq runs the ExLlama kernel, about 1.5 times the time of BF16, which is"
                        + " not priced; without it vLLM chooses Marlin");
            }
            return known.isEmpty() ? null : known;
        }
        String scheme = new CheckpointName(model).scheme();
        notes.add(
                scheme == null
                        ? "scheme is unknown; send scheme with the command"
                        : "scheme is read from the name of the checkpoint");
        return scheme;
    }

    private @Nullable DraftsResponse drafts() {
        if (!is("speculative") || said.getOrDefault("speculative", "").isEmpty()) {
            return null;
        }
        if (engine.equals("vllm")) {
            JsonNode tokens = json("speculative", "--speculative-config").path("num_speculative_tokens");
            return new DraftsResponse(tokens.isIntegralNumber() ? (Long) tokens.asLong() : null, null, null);
        }
        Long steps = whole("steps", MOST_DRAFTS);
        Long drafts = whole("draft_tokens", MOST_DRAFTS);
        return new DraftsResponse(steps != null || drafts == null ? steps : (Long) (drafts - 1), null, null);
    }

    private @Nullable String role() {
        String role = said.get("role");
        if (said.containsKey("kv_transfer")) {
            role = Map.of("kv_producer", "prefill", "kv_consumer", "decode")
                    .get(json("kv_transfer", "--kv-transfer-config")
                            .path("kv_role")
                            .asString(""));
        }
        return "prefill".equals(role) || "decode".equals(role) ? role : null;
    }

    private JsonNode json(String name, String option) {
        try {
            return JsonMapper.shared().readTree(requireNonNull(said.get(name)));
        } catch (JacksonException _) {
            throw refused(option + " must be JSON.");
        }
    }
}

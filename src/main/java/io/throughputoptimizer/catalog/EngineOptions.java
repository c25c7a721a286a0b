package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What one version of a serving engine calls the sizes of a plan: a file of the catalogue, so that a new release of
/// the engine is a change of data.
///
/// @param title its name for people
/// @param version the version that the options are those of
/// @param vendors makers of the devices that it runs on
/// @param form how its options are written
/// @param program what is run
/// @param options one entry for each [LaunchOption]
/// @param environment variables that each instance is started with
/// @param rolesEnvironment those of an instance that only prefills or only decodes, besides
/// @param vendorOptions entries that take the place of those in `options` on the devices of a maker
/// @param nodes what an instance on several nodes needs besides
/// @param port that a server listens on, and clients ask, unless there are several
/// @param portOption how another one is said; empty where `program` says it
/// @param router what sends requests to prefill and decode instances; absent where the engine has none
/// @param balancer what sends requests to equal servers; absent where the engine has none of its own
/// @param container how a server of it runs in a container; absent where no document says it
/// @param prompt one line of a file of prompts for all `checks`, as an expression of Python over the words `prompt`,
///     `output` tokens, and the functions `text` and `words`
/// @param checks benchmarks that show whether a plan holds
public record EngineOptions(
        @JsonProperty(value = "title", required = true) String title,
        @JsonProperty(value = "version", required = true) String version,
        @JsonProperty(value = "vendors", required = true) List<String> vendors,
        @JsonProperty(value = "form", required = true) Form form,
        @JsonProperty(value = "program", required = true) Entry program,
        @JsonProperty(value = "options", required = true) Map<LaunchOption, Entry> options,

        @JsonProperty(value = "environment", required = true)
        Map<String, String> environment,

        @JsonProperty(value = "roles_environment", required = true)
        Map<String, String> rolesEnvironment,

        @JsonProperty("vendor_options") @Nullable Map<String, Map<LaunchOption, Entry>> vendorOptions,

        @JsonProperty(value = "nodes", required = true) String nodes,
        @JsonProperty(value = "port", required = true) int port,

        @JsonProperty(value = "port_option", required = true)
        Entry portOption,

        @JsonProperty("router") @Nullable Router router,
        @JsonProperty("balancer") @Nullable Router balancer,
        @JsonProperty("container") @Nullable Container container,
        @JsonProperty(value = "prompt", required = true) String prompt,
        @JsonProperty(value = "checks", required = true) List<Check> checks) {

    /// How options are written.
    public enum Form {
        /// On the command line.
        @JsonProperty("arguments")
        ARGUMENTS,
        /// As members of a YAML file.
        @JsonProperty("yaml")
        YAML,
        /// As members of a JSON file.
        @JsonProperty("json")
        JSON
    }

    /// One option. In its texts `{n}` and other names in braces stand for figures of the plan.
    ///
    /// @param text how it is written; empty text where nothing needs to be said
    /// @param none why the engine has no such option; exactly one of it and `text` is there
    /// @param environment variable that holds the text, instead of an option
    /// @param note what to know about it
    /// @param unsure what no document says outright
    /// @param source file of the engine that it was read in
    public record Entry(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @JsonProperty("text") @Nullable
            List<String> text,

            @JsonProperty("none") @Nullable String none,
            @JsonProperty("environment") @Nullable String environment,
            @JsonProperty("note") @Nullable String note,
            @JsonProperty("unsure") @Nullable String unsure,
            @JsonProperty(value = "source", required = true) String source) {
        public Entry {
            if ((text == null) == (none == null)) {
                throw new IllegalArgumentException("an option needs exactly one of text and none");
            }
            text = text == null
                    ? null
                    : text.stream().filter(part -> !part.isEmpty()).toList();
        }

        /// The texts of an option that exists.
        public List<String> texts() {
            return requireNonNullElse(text, List.of());
        }

        /// What the engine calls it: a flag, or the member of a file.
        public String name() {
            return texts().isEmpty() ? source : texts().getFirst().split("[ :]", 2)[0];
        }
    }

    /// What clients ask where there are several servers. In its texts `{port}` is its own, `{prefill_list}`,
    /// `{decode_list}` and `{server_list}` are one `prefill`, `decode` or `server` for each of them.
    ///
    /// @param file name of the file that it reads, and `content` what is in it; both or none
    public record Router(
            @JsonProperty(value = "text", required = true) String text,
            @JsonProperty(value = "port", required = true) int port,
            @JsonProperty("file") @Nullable String file,
            @JsonProperty("content") @Nullable String content,
            @JsonProperty("prefill") @Nullable String prefill,
            @JsonProperty("decode") @Nullable String decode,
            @JsonProperty("server") @Nullable String server,
            @JsonProperty("note") @Nullable String note,
            @JsonProperty(value = "source", required = true) String source) {}

    /// How a server runs in a container.
    ///
    /// @param image that has the engine; `{version}` in it stands for that of the options
    /// @param resources what Kubernetes calls the devices, by their maker
    /// @param options what a command needs besides so that other hosts reach it; empty where that is nothing
    /// @param health path that answers once the server serves
    /// @param nodes how a server spans several nodes; absent where no document says it
    /// @param dynamo how Dynamo runs it; absent where no document says it
    public record Container(
            @JsonProperty(value = "image", required = true) String image,

            @JsonProperty(value = "resources", required = true)
            Map<String, String> resources,

            @JsonProperty(value = "options", required = true)
            String options,

            @JsonProperty(value = "health", required = true) String health,
            @JsonProperty("nodes") @Nullable Nodes nodes,
            @JsonProperty("dynamo") @Nullable Dynamo dynamo,
            @JsonProperty(value = "source", required = true) String source) {}

    /// What a server that spans several nodes is told besides, in a shell that knows its group by the variables of
    /// LeaderWorkerSet. In the texts `{nodes}` is the number of nodes, `{local}` that of data parallel ranks on one
    /// node.
    ///
    /// @param tensor where a data parallel rank spans nodes
    /// @param ranks where each node has whole data parallel ranks
    /// @param follower what all but the first are told besides; empty where that is nothing
    /// @param expertsOnly whether data parallel ranks on several nodes need routed experts
    public record Nodes(
            @JsonProperty(value = "tensor", required = true) String tensor,
            @JsonProperty(value = "ranks", required = true) String ranks,

            @JsonProperty(value = "follower", required = true)
            String follower,

            @JsonProperty(value = "experts_only", required = true)
            boolean expertsOnly,

            @JsonProperty(value = "source", required = true) String source) {}

    /// How Dynamo runs workers of an engine.
    ///
    /// @param image of the release that has this version of the engine
    /// @param module of Python that is run
    /// @param model option that names the model
    /// @param without option that it sets itself, so that it is left out
    /// @param prefill what prefill workers are told instead, and `decode` those that decode
    public record Dynamo(
            @JsonProperty(value = "image", required = true) String image,
            @JsonProperty(value = "module", required = true) String module,
            @JsonProperty(value = "model", required = true) String model,

            @JsonProperty(value = "without", required = true)
            List<String> without,

            @JsonProperty(value = "prefill", required = true)
            String prefill,

            @JsonProperty(value = "decode", required = true) String decode,
            @JsonProperty(value = "source", required = true) String source) {}

    /// A benchmark. In `text`, `{load}` is `together` or `rate`, and `{data}` one of the four after them.
    ///
    /// @param together a number of requests at once
    /// @param rate requests a second
    /// @param equal requests of one length
    /// @param varied lengths that are equally frequent, up to a longest
    /// @param prefixed requests of one length that share their beginning
    /// @param file requests that `prompts.jsonl` lists
    /// @param goodput option that takes the limits, where it has one
    /// @param unsure what no document says outright of `prefixed`
    /// @param kept how results are kept to be brought back; absent where its files are none that are read
    public record Check(
            @JsonProperty(value = "tool", required = true) String tool,
            @JsonProperty(value = "text", required = true) String text,

            @JsonProperty(value = "together", required = true)
            String together,

            @JsonProperty(value = "rate", required = true) String rate,
            @JsonProperty(value = "equal", required = true) String equal,
            @JsonProperty(value = "varied", required = true) String varied,

            @JsonProperty(value = "prefixed", required = true)
            String prefixed,

            @JsonProperty(value = "file", required = true) String file,
            @JsonProperty("goodput") @Nullable String goodput,
            @JsonProperty("unsure") @Nullable String unsure,
            @JsonProperty("kept") @Nullable Kept kept,
            @JsonProperty(value = "source", required = true) String source) {}

    /// How results of several runs are kept.
    ///
    /// @param instead what takes its place in the text of a benchmark
    /// @param by what that is
    /// @param files what they are then in, as a shell names them
    public record Kept(
            @JsonProperty(value = "instead", required = true)
            String instead,

            @JsonProperty(value = "by", required = true) String by,
            @JsonProperty(value = "files", required = true) String files) {}

    public EngineOptions {
        Arrays.stream(LaunchOption.values())
                .filter(option -> !options.containsKey(option))
                .findFirst()
                .ifPresent(missing -> {
                    throw new IllegalArgumentException("/options has no " + missing + ": every option needs an entry");
                });
        vendorOptions = requireNonNullElse(vendorOptions, Map.of());
    }

    /// The entry of an option on the devices of a maker.
    public Entry option(LaunchOption option, String vendor) {
        Entry usual = Objects.requireNonNull(options.get(option));
        return Objects.requireNonNull(vendorOptions)
                .getOrDefault(vendor, Map.of())
                .getOrDefault(option, usual);
    }
}

package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Options of one version of a serving engine: a file of the catalog, so that a new engine release changes only
/// data.
///
/// @param title display name
/// @param version engine version of the options
/// @param vendors vendors of supported devices
/// @param form syntax of the options
/// @param program program to run
/// @param options one entry per [LaunchOption]
/// @param environment variables of each instance
/// @param rolesEnvironment additional variables of a prefill or decode instance
/// @param vendorOptions entries that replace those in `options` on the devices of a vendor
/// @param nodes additional options of an instance on several nodes
/// @param port default port of a server and its clients, unless there are several servers
/// @param portOption option for another port; empty if `program` contains it
/// @param router router for prefill and decode instances; null if the engine has none
/// @param balancer load balancer for identical servers; null if the engine has none
/// @param container container of a server; null if undocumented
/// @param prompt one line of a prompt file for all `checks`, as a Python expression over the variables `prompt`
///     and `output` (tokens) and the functions `text` and `words`
/// @param checks benchmarks that verify a plan
public record EngineOptions(
        @JsonProperty(required = true) String title,
        @JsonProperty(required = true) String version,
        @JsonProperty(required = true) List<String> vendors,
        @JsonProperty(required = true) Form form,
        @JsonProperty(required = true) Entry program,
        @JsonProperty(required = true) Map<LaunchOption, Entry> options,

        @JsonProperty(required = true) Map<String, String> environment,

        @JsonProperty(required = true) Map<String, String> rolesEnvironment,

        @Nullable Map<String, Map<LaunchOption, Entry>> vendorOptions,

        @JsonProperty(required = true) String nodes,
        @JsonProperty(required = true) int port,

        @JsonProperty(required = true) Entry portOption,

        @Nullable Router router,
        @Nullable Router balancer,
        @Nullable Container container,
        @JsonProperty(required = true) String prompt,
        @JsonProperty(required = true) List<Check> checks) {

    /// Syntax of options.
    public enum Form {
        /// Command line.
        ARGUMENTS,
        /// Fields of a YAML file.
        YAML,
        /// Fields of a JSON file.
        JSON
    }

    /// One option. Names in braces in its texts, such as `{n}`, stand for figures of the plan.
    ///
    /// @param text syntax of the option; empty text if the option is not needed
    /// @param none reason the engine has no such option; exactly one of `text` and `none` is present
    /// @param environment variable that holds the text instead of an option
    /// @param note note to show
    /// @param unsure behavior that is not documented
    /// @param source engine file that documents it
    public record Entry(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<String> text,

            @Nullable String none,
            @Nullable String environment,
            @Nullable String note,
            @Nullable String unsure,
            @JsonProperty(required = true) String source) {
        public Entry {
            if ((text == null) == (none == null)) {
                throw new IllegalArgumentException("an option needs exactly one of text and none");
            }
            text = text == null
                    ? null
                    : text.stream().filter(part -> !part.isEmpty()).toList();
        }

        /// Returns the texts of an existing option.
        public List<String> texts() {
            return requireNonNullElse(text, List.of());
        }

        /// Returns the engine's name of the option: a flag or the field of a file.
        public String name() {
            return texts().isEmpty() ? source : texts().getFirst().split("[ :]", 2)[0];
        }
    }

    /// A router for several servers. In its texts `{port}` is its own port; `{prefill_list}`, `{decode_list}`
    /// and `{server_list}` repeat `prefill`, `decode` or `server` for each server.
    ///
    /// @param file name of its configuration file, with `content`; both or none
    public record Router(
            @JsonProperty(required = true) String text,
            @JsonProperty(required = true) int port,
            @Nullable String file,
            @Nullable String content,
            @Nullable String prefill,
            @Nullable String decode,
            @Nullable String server,
            @Nullable String note,
            @JsonProperty(required = true) String source) {}

    /// Container of a server.
    ///
    /// @param image image of the engine; `{version}` stands for the version of the options
    /// @param resources Kubernetes resource names of devices by vendor
    /// @param options additional options that make it reachable from other hosts; can be empty
    /// @param health path that responds once the server serves
    /// @param nodes multi-node options; null if undocumented
    /// @param dynamo options under Dynamo; null if undocumented
    public record Container(
            @JsonProperty(required = true) String image,

            @JsonProperty(required = true) Map<String, String> resources,

            @JsonProperty(required = true) String options,

            @JsonProperty(required = true) String health,
            @Nullable Nodes nodes,
            @Nullable Dynamo dynamo,
            @JsonProperty(required = true) String source) {}

    /// Additional options of a server on several nodes, in a shell with the variables of LeaderWorkerSet. In
    /// the texts `{nodes}` is the number of nodes and `{local}` the data parallel ranks per node.
    ///
    /// @param tensor options if a data parallel rank spans nodes
    /// @param ranks options if each node holds whole data parallel ranks
    /// @param follower additional options of all nodes but the first; can be empty
    /// @param expertsOnly true if data parallel ranks on several nodes require routed experts
    public record Nodes(
            @JsonProperty(required = true) String tensor,
            @JsonProperty(required = true) String ranks,

            @JsonProperty(required = true) String follower,

            @JsonProperty(required = true) boolean expertsOnly,

            @JsonProperty(required = true) String source) {}

    /// Worker options of an engine under Dynamo.
    ///
    /// @param image image of the release with this engine version
    /// @param module Python module to run
    /// @param model option that names the model
    /// @param without options that it sets itself, which are left out
    /// @param prefill options of prefill workers; `decode` for decode workers
    public record Dynamo(
            @JsonProperty(required = true) String image,
            @JsonProperty(required = true) String module,
            @JsonProperty(required = true) String model,

            @JsonProperty(required = true) List<String> without,

            @JsonProperty(required = true) String prefill,

            @JsonProperty(required = true) String decode,
            @JsonProperty(required = true) String source) {}

    /// A benchmark. In `text`, `{load}` is `together` or `rate`, and `{data}` is `equal`, `varied`, `prefixed`
    /// or `file`.
    ///
    /// @param together options for a fixed concurrency
    /// @param rate options for an arrival rate
    /// @param equal options for requests of one length
    /// @param varied options for uniformly distributed lengths up to a maximum
    /// @param prefixed options for requests of one length with a common prefix
    /// @param file options for requests listed in `prompts.jsonl`
    /// @param goodput option for the latency targets, if it has one
    /// @param unsure undocumented behavior of `prefixed`
    /// @param kept storage of results for upload; null if its files are not supported
    public record Check(
            @JsonProperty(required = true) String tool,
            @JsonProperty(required = true) String text,

            @JsonProperty(required = true) String together,

            @JsonProperty(required = true) String rate,
            @JsonProperty(required = true) String equal,
            @JsonProperty(required = true) String varied,

            @JsonProperty(required = true) String prefixed,

            @JsonProperty(required = true) String file,
            @Nullable String goodput,
            @Nullable String unsure,
            @Nullable Kept kept,
            @JsonProperty(required = true) String source) {}

    /// Storage of the results of several runs.
    ///
    /// @param instead part of the benchmark's text that is replaced
    /// @param by replacement
    /// @param files resulting files, as a shell pattern
    public record Kept(
            @JsonProperty(required = true) String instead,

            @JsonProperty(required = true) String by,
            @JsonProperty(required = true) String files) {}

    public EngineOptions {
        Arrays.stream(LaunchOption.values())
                .filter(option -> !options.containsKey(option))
                .findFirst()
                .ifPresent(missing -> {
                    throw new IllegalArgumentException("/options has no " + missing + ": every option needs an entry");
                });
        vendorOptions = requireNonNullElse(vendorOptions, Map.of());
    }

    /// Returns the entry of an option on the devices of a vendor.
    public Entry option(LaunchOption option, String vendor) {
        Entry usual = Objects.requireNonNull(options.get(option));
        return Objects.requireNonNull(vendorOptions)
                .getOrDefault(vendor, Map.of())
                .getOrDefault(option, usual);
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse.CheckResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.EngineOptions.Check;
import io.throughputoptimizer.catalog.EngineOptions.Kept;
import io.throughputoptimizer.launch.LaunchPlan.Load;
import io.throughputoptimizer.launch.LaunchPlan.Role;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Benchmark commands that reproduce the load of a plan, sent to the address of its clients.
final class Benchmark {
    private static final int DECIMALS = 4;

    private final LaunchPlan plan;
    private final Served served;
    private final Load load;
    private final Network network;
    private final long servers;
    private final int port;

    Benchmark(LaunchPlan plan, Network network) {
        this.plan = plan;
        this.served = plan.served();
        this.network = network;
        this.servers = network.count();
        this.port = network.asked();
        this.load = network.isRouted() || servers == 1 ? plan.load() : share(plan.load(), servers);
    }

    /// Creates a benchmark with another load, sent to the first server.
    Benchmark(LaunchPlan plan, Network network, Load load) {
        this.plan = plan;
        this.served = plan.served();
        this.network = network;
        this.servers = 1;
        this.port = network.port(0);
        this.load = load;
    }

    /// Returns the load of one server if no router is written out.
    private static Load share(Load all, long servers) {
        return new Load(
                Math.max(1, all.concurrency() / servers),
                all.requestsPerS() == null ? null : (Double) (all.requestsPerS() / servers),
                Math.max(1, all.prompts() / servers),
                all.least(),
                all.inputs(),
                all.outputs(),
                all.thinkMillis(),
                all.images(),
                all.turns());
    }

    /// Describes the requests.
    String words() {
        String all = load.requestsPerS() == null
                ? load.concurrency() + " requests at once"
                : plain(load.requestsPerS()) + " requests a second";
        String each = load.requestsPerS() == null
                ? String.valueOf(load.concurrency() / servers)
                : plain(load.requestsPerS() / servers);
        String to = network.isRouted() ? "the router on port " : "port ";
        return all
                + (network.isRouted() && !plan.isSplit() ? ", " + each + " for each of " + servers + " servers" : "")
                + ", to " + to + network.asked() + "; " + load.prompts() + " in all"
                + (network.isRouted() || servers == 1 ? "" : ": the share of one of " + servers + " servers");
    }

    /// Returns the program that writes the prompts, or null if benchmarks need none.
    @Nullable
    FileResponse prompts(EngineOptions engine) {
        return PromptFile.isNeeded(load, served)
                ? PromptFile.of(load, served, firstTokenOnly() ? 1 : Integer.MAX_VALUE, engine.prompt())
                : null;
    }

    /// Returns the benchmark commands; empty for decode instances without prefill instances.
    List<CheckResponse> of(List<Check> checks) {
        return isDecodeAlone() ? List.of() : checks.stream().map(this::check).toList();
    }

    boolean isDecodeAlone() {
        return !plan.isSplit() && plan.instances().getFirst().role() == Role.DECODE;
    }

    private boolean firstTokenOnly() {
        return !plan.isSplit() && plan.instances().getFirst().role() == Role.PREFILL;
    }

    private CheckResponse check(Check check) {
        List<String> notSent = notSent();
        List<String> unsure = new ArrayList<>();
        if (check.unsure() != null && served.prefixShare() > 0 && !PromptFile.isNeeded(load, served)) {
            unsure.add(check.unsure());
        }
        return new CheckResponse(
                check.tool(),
                command(check),
                notSent.isEmpty() ? null : notSent,
                unsure.isEmpty() ? null : List.copyOf(unsure));
    }

    /// Returns the command that stores its results with those of other runs.
    String kept(Check check) {
        Kept kept = Objects.requireNonNull(check.kept());
        return command(check, check.text().replace(kept.instead(), kept.by()), null);
    }

    private String command(Check check) {
        return command(check, check.text(), check.goodput());
    }

    /// @param goodput option for the latency targets; null if they do not matter
    private String command(Check check, String template, @Nullable String goodput) {
        boolean listed = PromptFile.isNeeded(load, served);
        String data;
        if (listed) {
            data = check.file();
        } else if (served.prefixShare() > 0) {
            data = check.prefixed();
        } else {
            data = load.isVaried() ? check.varied() : check.equal();
        }
        String text = Settings.filled(
                template, Map.of("load", load.requestsPerS() == null ? check.together() : check.rate(), "data", data));
        String command = (listed ? PromptFile.WRITTEN : "") + Settings.filled(text, figures());
        String limits = Stream.of(
                        limit("ttft", served.ttftMillis()),
                        firstTokenOnly() ? "" : limit("tpot", served.tpotMillis()),
                        firstTokenOnly() ? "" : limit("e2el", served.requestLatencyMillis()))
                .filter(limit -> !limit.isEmpty())
                .collect(Collectors.joining(" "));
        return goodput == null || limits.isEmpty() ? command : command + " " + goodput + " " + limits;
    }

    private Map<String, Object> figures() {
        int input = served.inputTokens();
        int output = firstTokenOnly() ? 1 : served.outputTokens();
        long shared = (long) (served.inputTokens() * served.prefixShare());
        double least = load.least();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("port", port);
        figures.put("input", input);
        figures.put("output", output);
        figures.put("middle_input", (long) (input * (1 + least) / 2));
        figures.put("middle_output", Math.max(1, (long) (output * (1 + least) / 2)));
        figures.put("least_input", Math.max(1, (long) Math.ceil(input * least)));
        figures.put("least_output", Math.max(1, (long) Math.ceil(output * least)));
        figures.put("least", plain(least));
        figures.put("spread", decimals((1 - least) / (1 + least)));
        figures.put("shared", shared);
        figures.put("rest", input - shared);
        figures.put("concurrency", load.concurrency());
        figures.put("prompts", load.prompts());
        figures.put("warmups", load.requestsPerS() == null ? 2 * load.concurrency() : load.concurrency());
        figures.put("rate", load.requestsPerS() == null ? "" : plain(load.requestsPerS()));
        figures.put("percentiles", percentiles());
        return figures;
    }

    private String percentiles() {
        return DoubleStream.concat(
                        DoubleStream.of(50, 90, 99),
                        served.percentile() == null ? DoubleStream.empty() : DoubleStream.of(served.percentile()))
                .distinct()
                .sorted()
                .mapToObj(Benchmark::plain)
                .collect(Collectors.joining(","));
    }

    /// Returns the properties of the plan's load that no benchmark option can send.
    private List<String> notSent() {
        List<String> notSent = new ArrayList<>();
        if (load.images()) {
            notSent.add("the images of the requests");
        }
        if (plan.instances().getFirst().precision().draftTokens() > 0) {
            notSent.add("text whose draft tokens are accepted as often as the row counts with");
        }
        if (load.turns() > 1) {
            notSent.add("the " + load.turns() + " turns of each conversation, one after the other: prompts of their"
                    + " lengths share one beginning instead, as long as what turns find in the mean");
        }
        if (load.thinkMillis() > 0 && load.requestsPerS() == null) {
            notSent.add("the " + plain(load.thinkMillis()) + " ms from an answer to the next request");
        }
        return notSent;
    }

    /// Formats a limit exactly, since rounding up would loosen it.
    private static String limit(String name, @Nullable Double millis) {
        return millis == null ? "" : name + ":" + plain(millis);
    }

    private static String plain(double figure) {
        return decimal(BigDecimal.valueOf(figure).round(new MathContext(12, RoundingMode.DOWN)));
    }

    private static String decimals(double figure) {
        return decimal(BigDecimal.valueOf(figure).setScale(DECIMALS, RoundingMode.DOWN));
    }

    private static String decimal(BigDecimal figure) {
        return figure.signum() == 0 ? "0" : figure.stripTrailingZeros().toPlainString();
    }
}

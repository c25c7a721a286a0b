package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.CheckResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.api.result.LaunchResponse.MeasureResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Launch commands as a shell script; comments contain the notes.
public final class LaunchScript {
    private static final String END_OF_FILE = "END_OF_FILE";

    private final StringBuilder text = new StringBuilder();

    private LaunchScript() {}

    public static String of(LaunchResponse launch) {
        LaunchScript script = new LaunchScript();
        script.comment(launch.model() + " on " + launch.device() + ", row " + launch.rank() + ", " + launch.engine()
                + " " + launch.engineVersion());
        script.comment("Written by the figures of the row; the service ran none of it.");
        script.comments("", launch.notes());
        script.comments("unsure: ", launch.unsure());
        script.comments("no option for ", launch.withoutOption());
        script.line(launch.checkpoint());
        launch.servers().forEach(server -> script.server(server, launch));
        if (launch.router() != null) {
            script.line("");
            script.comment("router: clients ask port " + launch.routerPort());
            script.file(launch.routerFile());
            script.line(launch.router());
        }
        script.checks(launch);
        script.measure(launch.measure());
        return script.text.toString();
    }

    private void checks(LaunchResponse launch) {
        List<CheckResponse> checks = launch.checks();
        if (checks == null || checks.isEmpty()) {
            return;
        }
        line("");
        if (launch.load() != null) {
            comment("checks send " + launch.load());
        }
        file(launch.prompts());
        for (CheckResponse check : checks) {
            List<String> notSent = check.notSent();
            comment(
                    notSent == null
                            ? "check, with " + check.tool()
                            : "check of a part of the plan, with " + check.tool() + "; it does not send "
                                    + String.join(", nor ", notSent));
            comments("unsure: ", check.unsure() == null ? List.of() : check.unsure());
            comment(check.command());
        }
    }

    private void measure(@Nullable MeasureResponse measure) {
        if (measure == null) {
            return;
        }
        line("");
        comment("what teaches most: one server, on port " + measure.port() + ", at "
                + measure.concurrencies().stream().map(String::valueOf).collect(Collectors.joining(", "))
                + " requests at once; with " + measure.tool());
        measure.commands().forEach(this::comment);
        comment("what it measured comes back as rows beside their predictions, by");
        comment(measure.bring());
        if (measure.next() != null) {
            comment("the next plan learns from it, with the id that came back: " + measure.next());
        }
    }

    private void server(ServerResponse server, LaunchResponse launch) {
        line("");
        boolean several =
                launch.servers().stream().map(ServerResponse::device).distinct().count() > 1;
        comment(server.role() + (several ? " on " + server.device() : "") + ": " + server.parallel() + ", "
                + devices(server.numDevices()) + (server.instances() == 1 ? "" : "; run this " + times(server)));
        for (Map.Entry<String, String> variable : server.environment().entrySet()) {
            line("export " + variable.getKey() + "=" + variable.getValue());
        }
        file(server.file());
        line(server.command());
    }

    private static String times(ServerResponse server) {
        int last = server.port() + server.instances() - 1;
        return server.instances() + " times, each on devices of its own, with PORT=" + server.port() + " to PORT="
                + last;
    }

    private void file(@Nullable FileResponse file) {
        if (file != null) {
            line("cat > " + file.name() + " <<'" + END_OF_FILE + "'");
            text.append(file.content().stripTrailing()).append('\n');
            line(END_OF_FILE);
        }
    }

    private static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }

    private void comments(String before, List<String> comments) {
        comments.forEach(comment -> comment(before + comment));
    }

    private void comment(String comment) {
        line("# " + comment.replace("\n", "\n# "));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.CheckResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import java.util.List;
import java.util.Map;

/// Commands as a script for a shell: comments say what is not in them.
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
        launch.servers().forEach(script::server);
        if (launch.router() != null) {
            script.line("");
            script.comment("router");
            script.line(launch.router());
        }
        List<CheckResponse> checks = launch.checks();
        if (checks != null) {
            script.line("");
            checks.forEach(check -> {
                script.comment("check, with " + check.tool());
                script.comment(check.command());
            });
        }
        return script.text.toString();
    }

    private void server(ServerResponse server) {
        line("");
        comment(server.role() + ": " + server.parallel() + ", " + devices(server.numDevices())
                + (server.instances() == 1
                        ? ""
                        : "; run this " + server.instances() + " times, each on devices and ports of its own"));
        for (Map.Entry<String, String> variable : server.environment().entrySet()) {
            line("export " + variable.getKey() + "=" + variable.getValue());
        }
        FileResponse file = server.file();
        if (file != null) {
            line("cat > " + file.name() + " <<'" + END_OF_FILE + "'");
            text.append(file.content().stripTrailing()).append('\n');
            line(END_OF_FILE);
        }
        line(server.command());
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

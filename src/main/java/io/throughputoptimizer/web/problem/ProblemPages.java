package io.throughputoptimizer.web.problem;

import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.api.problem.ProblemKind;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Pages that the types of problems lead to.
@Hidden
@RestController
class ProblemPages {
    private static final String HTML = MediaType.TEXT_HTML_VALUE + ";charset=UTF-8";

    @GetMapping(path = "/problems", produces = HTML)
    String all() {
        return page(
                "Problem types",
                Arrays.stream(ProblemKind.values())
                        .map(kind -> "<li><a href=\"problems/%1$s\">%1$s</a> (%2$d): %3$s</li>"
                                .formatted(kind.word(), kind.status(), kind.when()))
                        .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>")));
    }

    @GetMapping(path = "/problems/{name}", produces = HTML)
    String one(@PathVariable String name) {
        ProblemKind kind = ProblemKind.named(name)
                .orElseThrow(() -> ProblemException.notFound("Unknown problem type. GET /problems lists all types."));
        return page(
                kind.title(),
                "<p>Type <code>/problems/%s</code>, status %d.</p>\n<p>%s</p>\n<p>Fix: %s</p>"
                        .formatted(kind.word(), kind.status(), kind.when(), kind.fix()));
    }

    private static String page(String title, String body) {
        return "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>%1$s</title></head>\n"
                        .formatted(title)
                + "<body>\n<h1>%s</h1>\n%s\n</body>\n</html>\n".formatted(title, body);
    }
}

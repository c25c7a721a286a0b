package io.throughputoptimizer.web.bound;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/// Says on every answer, Tomcat's own errors included, what a browser may do with it: nothing that it loads comes from
/// elsewhere, no other site may frame or read it, and no address of a job leaves it.
public final class SecurityHeaders extends ValveBase {
    private static final String TYPE_OPTIONS = "X-Content-Type-Options";
    private static final String REVALIDATED = "no-cache";
    private static final String NOT_KEPT = "no-store";

    private static final String DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
    private static final String PAGE_POLICY = pagePolicy("style-src 'self'", "img-src 'self'");

    /// Swagger UI styles its elements inline and carries its small pictures in its style sheet.
    private static final String SWAGGER_POLICY = pagePolicy("style-src 'self' 'unsafe-inline'", "img-src 'self' data:");

    /// The first one whose paths match decides; what none knows is data.
    private static final List<Area> AREAS = List.of(
            new Area(
                    Pattern.compile("/|/index\\.html|/favicon\\.svg|/(dashboard|vendor|help)/.*"),
                    PAGE_POLICY,
                    REVALIDATED),
            new Area(Pattern.compile("/swagger-ui(\\.html|/.*)"), SWAGGER_POLICY, REVALIDATED),
            new Area(
                    Pattern.compile("/api/v1/(devices|models|length-distributions|capabilities)(/.*)?"),
                    DATA_POLICY,
                    REVALIDATED),
            new Area(Pattern.compile("/v3/api-docs(\\.yaml)?"), DATA_POLICY, REVALIDATED));

    private static final Area DATA = new Area(Pattern.compile(".*"), DATA_POLICY, NOT_KEPT);

    /// Paths that are treated alike.
    ///
    /// @param caching where the handler says nothing else
    private record Area(Pattern paths, String policy, String caching) {
        static Area of(@Nullable String path) {
            return path == null
                    ? DATA
                    : AREAS.stream()
                            .filter(area -> area.paths.matcher(path).matches())
                            .findFirst()
                            .orElse(DATA);
        }
    }

    public SecurityHeaders() {
        super(true);
    }

    private static String pagePolicy(String styles, String pictures) {
        return String.join(
                "; ",
                "default-src 'none'",
                "script-src 'self'",
                styles,
                pictures,
                "connect-src 'self'",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'");
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        write(request, response);
        getNext().invoke(request, response);
        // Whoever reports a failure may have emptied the answer before.
        if (!request.isAsync() && !response.isCommitted() && response.getHeader(TYPE_OPTIONS) == null) {
            write(request, response);
        }
    }

    private static void write(Request request, Response response) {
        Area area = Area.of(request.getDecodedRequestURI());
        response.setHeader("Content-Security-Policy", area.policy());
        response.setHeader("Cache-Control", area.caching());
        response.setHeader(TYPE_OPTIONS, "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }
}

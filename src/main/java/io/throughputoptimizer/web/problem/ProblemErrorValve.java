package io.throughputoptimizer.web.problem;

import io.throughputoptimizer.api.WireFormat;
import jakarta.servlet.RequestDispatcher;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/// Answers what is so malformed that Tomcat refuses it before any servlet sees it. Made by Tomcat, by name.
public final class ProblemErrorValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, Throwable throwable) {
        int code = response.getStatus();
        if (code < HttpStatus.BAD_REQUEST.value() || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        String detail = ProblemMessages.refusal(code, reason(request, response));
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            WireFormat.write(ProblemMessages.of(code, detail), response.getOutputStream());
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("cannot answer with a problem", e);
        }
    }

    private static String reason(Request request, Response response) {
        if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable cause) {
            return Objects.toString(cause.getMessage(), "");
        }
        if (response.getMessage() != null) {
            return response.getMessage();
        }
        if (Collections.list(request.getHeaders(HttpHeaders.HOST)).size() != 1) {
            return ProblemMessages.WRONG_HOST;
        }
        List<String> lengths = Collections.list(request.getHeaders(HttpHeaders.CONTENT_LENGTH));
        boolean sound = lengths.size() <= 1 && lengths.stream().allMatch(length -> length.matches("\\d+"));
        return sound ? "" : ProblemMessages.WRONG_LENGTH;
    }
}

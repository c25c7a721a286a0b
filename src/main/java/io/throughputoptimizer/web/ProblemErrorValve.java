package io.throughputoptimizer.web;

import io.throughputoptimizer.api.Problem;
import io.throughputoptimizer.api.WireFormat;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
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
        HttpStatus status = HttpStatus.resolve(code);
        String title = status == null ? "Error" : status.getReasonPhrase();
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            WireFormat.write(Problem.plain(code, title, title), response.getOutputStream());
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("cannot answer with a problem", e);
        }
    }
}

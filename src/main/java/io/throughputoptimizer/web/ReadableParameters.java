package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.web.problem.ProblemMessages;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/// Filter that rejects undecodable query strings and forms, and adds a problem body to empty 404s.
final class ReadableParameters extends OncePerRequestFilter {
    private static final String RULE = "must be percent-encoded, as UTF-8";
    private static final char UNDECODABLE = '\uFFFD';

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            request.getParameterMap();
        } catch (InvalidParameterException _) {
            response.setStatus(HttpStatus.BAD_REQUEST.value());
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            WireFormat.write(problem(request), response.getOutputStream());
            return;
        }
        chain.doFilter(request, response);
        if (response.getStatus() == HttpStatus.NOT_FOUND.value()
                && response.getContentType() == null
                && !response.isCommitted()) {
            response.sendError(HttpStatus.NOT_FOUND.value());
        }
    }

    private static Problem problem(HttpServletRequest request) {
        for (String pair : StringUtils.tokenizeToStringArray(request.getQueryString(), "&")) {
            if (!isReadable(pair)) {
                String name = pair.split("=", 2)[0];
                return Problem.invalidParameters(Map.of(isReadable(name) ? name : "query", RULE));
            }
        }
        return ProblemMessages.of(
                HttpStatus.BAD_REQUEST.value(),
                "The query or form is malformed, or has more parameters than this service reads.");
    }

    private static boolean isReadable(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8).indexOf(UNDECODABLE) < 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}

package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Problem;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/// Answers 421 (RFC 9110) to whoever addresses the service by a name that is not its own, whatever the path. Tomcat has
/// refused malformed and repeated hosts before, and those that a full request target contradicts; HTTP/1.0 may name
/// none.
public final class HostCheck extends ValveBase {
    private static final int MISDIRECTED_REQUEST = 421;

    private final AllowedHosts hosts;

    public HostCheck(AllowedHosts hosts) {
        super(true);
        this.hosts = hosts;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String host = request.getHeader(HttpHeaders.HOST);
        if (host == null || hosts.contains(host) || response.isError()) {
            getNext().invoke(request, response);
            return;
        }
        response.setStatus(MISDIRECTED_REQUEST);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        WireFormat.write(
                Problem.ofKind(
                        "unknown-host",
                        MISDIRECTED_REQUEST,
                        "Misdirected Request",
                        "The service is not known by the name in the Host header. It takes: " + hosts.inWords()
                                + ". Others are added with optimizer.http.allowed-hosts."),
                response.getOutputStream());
    }
}

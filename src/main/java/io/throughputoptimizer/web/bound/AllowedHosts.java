package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.ProblemKind;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/// Names under which callers may address the service. A page of another site whose name is made to lead here (DNS
/// rebinding) calls it by that site's name, and is thereby told apart.
///
/// Loopback names and the address that the service is bound to are always among them. Bound to all addresses,
/// it may be called by any address, since only names can be made to lead elsewhere.
///
/// @param names as they were given, by the form in which they are compared: in lower case, without port and
///     final dot
/// @param anyAddress whether every IP address is taken
/// @param any whether everything is taken
public record AllowedHosts(SortedMap<String, String> names, boolean anyAddress, boolean any) {
    private static final String ANY = "*";
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern HOST = Pattern.compile("(\\[[^\\]]*]|[^:\\[\\]]*)(?::\\d*)?");
    private static final Pattern NAME = Pattern.compile("[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?");
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    /// @param configured names without ports besides those that are always taken; `*` takes all
    /// @param bound address or name that the service listens on; empty for all addresses
    /// @throws IllegalArgumentException if one cannot be a name
    public static AllowedHosts of(Collection<String> configured, String bound) {
        boolean anyAddress = isWildcard(bound);
        SortedMap<String, String> names = new TreeMap<>();
        Stream.of(LOOPBACK, anyAddress ? List.<String>of() : List.of(bound), configured)
                .flatMap(Collection::stream)
                .filter(name -> !name.equals(ANY))
                .forEach(name -> names.putIfAbsent(compared(name), name));
        return new AllowedHosts(names, anyAddress, configured.contains(ANY));
    }

    /// Whether the value of a `Host` header names the service, with any port.
    boolean contains(String header) {
        return any || normal(header).filter(this::isKnown).isPresent();
    }

    private boolean isKnown(String host) {
        return names.containsKey(host)
                || (anyAddress && (host.startsWith("[") || IPV4.matcher(host).matches()));
    }

    /// Those that are taken, for people.
    String inWords() {
        return String.join(", ", names.values()) + (anyAddress ? ", any IP address" : "");
    }

    /// A host as it is compared; empty if it is none.
    private static Optional<String> normal(String header) {
        Matcher host = HOST.matcher(header.toLowerCase(Locale.ROOT));
        if (!host.matches()) {
            return Optional.empty();
        }
        String name = host.group(1);
        return name.startsWith("[")
                ? address(name.substring(1, name.length() - 1))
                : Optional.of(name.endsWith(".") ? name.substring(0, name.length() - 1) : name)
                        .filter(plain -> NAME.matcher(plain).matches());
    }

    /// An IPv6 address in the one form that its many spellings are compared in.
    private static Optional<String> address(String literal) {
        try {
            String address = InetAddress.ofLiteral(literal).getHostAddress();
            return Optional.of(address.contains(":") ? "[" + address + "]" : address);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String compared(String configured) {
        boolean bare = configured.indexOf(':') != configured.lastIndexOf(':') && !configured.startsWith("[");
        String host = bare ? "[" + configured + "]" : configured;
        return Optional.of(host)
                .filter(name -> name.startsWith("[") ? name.endsWith("]") : name.indexOf(':') < 0)
                .flatMap(AllowedHosts::normal)
                .orElseThrow(() -> new IllegalArgumentException("optimizer.http.allowed-hosts has " + configured
                        + ": names or addresses without scheme and port are needed, or * for any"));
    }

    private static boolean isWildcard(String bound) {
        return bound.isEmpty()
                || ((bound.indexOf(':') >= 0 || IPV4.matcher(bound).matches())
                        && InetAddress.ofLiteral(bound).isAnyLocalAddress());
    }

    /// Answers 421 (RFC 9110) to whoever addresses the service by a name that is not its own, whatever the
    /// path. Tomcat has refused malformed and repeated hosts before, and those that a full request target
    /// contradicts; HTTP/1.0 may name none.
    public static final class HostCheck extends ValveBase {
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
                    Problem.of(
                            ProblemKind.UNKNOWN_HOST,
                            "The service does not answer for the name in the Host header; allowed: " + hosts.inWords()
                                    + ". Add names to optimizer.http.allowed-hosts."),
                    response.getOutputStream());
        }
    }
}

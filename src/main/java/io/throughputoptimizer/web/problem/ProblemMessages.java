package io.throughputoptimizer.web.problem;

import io.throughputoptimizer.api.problem.Problem;
import java.util.Arrays;
import org.springframework.http.HttpStatus;

/// Says what is wrong with a request that no controller has seen, where a server would repeat the name of the
/// status.
public final class ProblemMessages {
    static final String WRONG_HOST = "host";
    static final String WRONG_LENGTH = "length";

    private ProblemMessages() {}

    /// A problem of a status alone.
    public static Problem of(int status) {
        return of(status, detail(status));
    }

    public static Problem of(int status, String detail) {
        HttpStatus known = HttpStatus.resolve(status);
        return Problem.plain(status, known == null ? "Error" : known.getReasonPhrase(), detail);
    }

    private static String detail(int status) {
        return switch (status) {
            case 400 -> "The request is not well-formed HTTP, or its address or body cannot be read.";
            case 401, 403 -> "This is not allowed.";
            case 404 -> "There is nothing at this address.";
            case 405 -> "This method is not allowed here: the Allow header lists those that are.";
            case 406 -> "None of the media types in Accept is available.";
            case 408 -> "The request did not arrive in time.";
            case 413 -> "The request is too large.";
            case 414 -> "The address is too long.";
            case 415 -> "The media type of the body is not supported.";
            case 416 -> "The requested range is not satisfiable.";
            case 417 -> "The Expect header must be 100-continue.";
            case 421 -> "The service does not answer for the host in the request.";
            case 431 -> "The address and the headers are too long or too many.";
            case 500 -> "The request failed because of an error in the service.";
            case 501 -> "The method or the Transfer-Encoding is not supported.";
            case 503 -> "The service is unavailable. Retry later.";
            case 505 -> "This version of HTTP is not supported. Use HTTP/1.1.";
            default -> "The request cannot be answered: status " + status + ".";
        };
    }

    /// Describes a request that the server rejected, as far as its reason tells.
    ///
    /// @param reason reason in the server's words; empty if it gives none
    static String refusal(int status, String reason) {
        return Arrays.stream(Sign.values())
                .filter(sign -> status == HttpStatus.BAD_REQUEST.value() && reason.startsWith(sign.reason))
                .findFirst()
                .map(sign -> sign.detail)
                .orElseGet(() -> detail(status));
    }

    /// By what the server's reasons are recognized.
    private enum Sign {
        TARGET(
                "Invalid character found in the request target",
                "The address has a character that must be percent-encoded, as UTF-8."),
        ADDRESS(
                "Invalid URI",
                "The address cannot be read: what is percent-encoded must be UTF-8, without control characters or slashes."),
        METHOD(
                "Invalid character found in method name",
                "The request line is malformed: it must begin with the name of a method."),
        PROTOCOL(
                "Invalid character found in the HTTP protocol",
                "The request line is malformed: it must end with HTTP/1.1."),
        LENGTH("Request header is too large", "The address and the headers are longer than this service reads."),
        COUNT("More than the maximum allowed number", "The request has more headers than this service reads."),
        LINE(
                "The HTTP header line",
                "A header is malformed: each is a line \"Name: value\" without control characters."),
        HOST_NAME("The character", "The Host header is malformed."),
        HOST(WRONG_HOST, "The Host header is missing, given twice or malformed."),
        CONTENT_LENGTH(WRONG_LENGTH, "The Content-Length header is malformed or given twice.");

        private final String reason;
        private final String detail;

        Sign(String reason, String detail) {
            this.reason = reason;
            this.detail = detail;
        }
    }
}

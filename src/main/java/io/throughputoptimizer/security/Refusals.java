package io.throughputoptimizer.security;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Problem.RetryAfter;
import io.throughputoptimizer.api.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;

/// Writes error responses: 401 for unauthenticated callers (RFC 6750), 403 for missing permissions, 429 for too
/// many requests, 503 if authentication is unavailable.
final class Refusals implements AuthenticationEntryPoint, AccessDeniedHandler {
    private static final String SCHEME = "Bearer realm=\"throughput-optimizer\"";
    private static final Duration LATER = Duration.ofSeconds(5);

    /// Rejects a request with a missing or invalid token.
    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        switch (failure) {
            case AuthenticationServiceException _ -> {
                retryAfter(response, LATER);
                write(
                        response,
                        Problem.of(
                                ProblemKind.CALLERS_UNKNOWN,
                                "The service cannot verify the key or token at the moment. Retry after the time in Retry-After."));
            }
            case OAuth2AuthenticationException wrong -> {
                response.setHeader(HttpHeaders.WWW_AUTHENTICATE, SCHEME + ", error=\"invalid_token\"");
                write(response, Problem.of(ProblemKind.INVALID_KEY, words(wrong)));
            }
            default -> {
                response.setHeader(HttpHeaders.WWW_AUTHENTICATE, SCHEME);
                write(
                        response,
                        Problem.of(
                                ProblemKind.KEY_NEEDED,
                                "Authentication required. Send the header Authorization: Bearer KEY. An admin creates keys."));
            }
        }
    }

    private static String words(OAuth2AuthenticationException wrong) {
        String description = wrong.getError().getDescription();
        return description == null ? "The key or token is not valid." : description;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException failure)
            throws IOException {
        List<String> needed = needed(failure);
        Caller caller = Caller.current();
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, SCHEME + ", error=\"insufficient_scope\"" + scope(needed));
        write(
                response,
                Problem.of(
                        ProblemKind.ROLE_NEEDED,
                        "This operation requires the role " + String.join(" or ", needed) + "; " + caller.name()
                                + " has " + (caller.roles().isEmpty() ? "none" : Role.words(caller.roles())) + "."));
    }

    private static String scope(List<String> needed) {
        return needed.isEmpty() ? "" : ", scope=\"" + String.join(" ", needed) + "\"";
    }

    private static List<String> needed(AccessDeniedException failure) {
        return failure instanceof AuthorizationDeniedException denied
                        && denied.getAuthorizationResult() instanceof AuthorityAuthorizationDecision decision
                ? decision.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .collect(Collectors.toList())
                : List.of(Role.ADMIN.word());
    }

    /// Rejects a caller that exceeds its rate limit.
    void tooMany(HttpServletResponse response, Duration wait) throws IOException {
        retryAfter(response, wait);
        write(response, Problem.rateLimited());
    }

    private static void retryAfter(HttpServletResponse response, Duration wait) {
        response.setHeader(HttpHeaders.RETRY_AFTER, RetryAfter.seconds(wait));
    }

    private static void write(HttpServletResponse response, Problem problem) throws IOException {
        response.setStatus(problem.status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        WireFormat.write(problem, response.getOutputStream());
    }
}

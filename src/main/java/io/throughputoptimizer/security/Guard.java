package io.throughputoptimizer.security;

import static org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher.pathPattern;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.throughputoptimizer.api.key.Role;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.SingleResultAuthorizationManager;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.access.intercept.RequestMatcherDelegatingAuthorizationManager;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/// Security filters for services with access control. Stateless: no session, no cookie.
public final class Guard {
    /// Public paths: the dashboard, the API description, pages for agents and health, which reveal nothing about jobs.
    private static final List<String> FREE = List.of(
            "/",
            "/index.html",
            "/favicon.svg",
            "/dashboard/**",
            "/vendor/**",
            "/help/**",
            "/problems/**",
            "/llms.txt",
            "/agents/**",
            "/skills/**",
            "/swagger-ui.html",
            "/swagger-ui/**",
            "/v3/api-docs/**",
            "/v3/api-docs.yaml",
            "/actuator/health/**");

    /// Paths of share links, whose token replaces a key and gives access to nothing else.
    private static final List<String> SHARED = List.of("/api/v1/share", "/api/v1/share/result");

    private static final List<String> ADMINISTRATION = List.of("/actuator/**", "/api/v1/keys/**");

    private static final PathPatternRequestMatcher TOOLS = pathPattern(HttpMethod.POST, "/mcp");
    private static final String WAIT = Guard.class.getName() + ".wait";

    private Guard() {}

    /// Returns the wait that a request to tools beyond the rate limit must report; null within the limit.
    public static @Nullable Duration wait(HttpServletRequest request) {
        return (Duration) request.getAttribute(WAIT);
    }

    /// @param issuer issuer of tokens; null without one
    /// @param requests maximum requests per caller and minute; 0 for no limit
    public static FilterChainProxy chain(KeyRing keys, @Nullable TokenIssuer issuer, int requests) {
        Refusals refusals = new Refusals();
        BearerTokenAuthenticationFilter bearer =
                new BearerTokenAuthenticationFilter(new TokenAuthentication(keys, issuer));
        bearer.setAuthenticationEntryPoint(refusals);
        bearer.setAuthenticationFailureHandler(refusals::commence);
        ExceptionTranslationFilter translation = new ExceptionTranslationFilter(refusals, new NullRequestCache());
        translation.setAccessDeniedHandler(refusals);
        FilterChainProxy chain = new FilterChainProxy(new DefaultSecurityFilterChain(
                AnyRequestMatcher.INSTANCE,
                new SecurityContextHolderFilter(new RequestAttributeSecurityContextRepository()),
                bearer,
                new AnonymousAuthenticationFilter(UUID.randomUUID().toString()),
                new RateLimit(requests, refusals),
                translation,
                new AuthorizationFilter(rules())));
        chain.setFirewall(firewall());
        return chain;
    }

    /// Returns a firewall that accepts all methods, headers and parameters. Controllers validate them; a
    /// rejection while they are read would look like an internal error.
    private static StrictHttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowedHeaderNames(_ -> true);
        firewall.setAllowedHeaderValues(_ -> true);
        firewall.setAllowedParameterNames(_ -> true);
        firewall.setAllowedParameterValues(_ -> true);
        return firewall;
    }

    /// Returns the authorization rules. The first match decides; other paths require a key.
    private static AuthorizationManager<HttpServletRequest> rules() {
        RequestMatcherDelegatingAuthorizationManager.Builder rules =
                RequestMatcherDelegatingAuthorizationManager.builder();
        Stream.concat(FREE.stream(), SHARED.stream())
                .forEach(path -> rules.add(pathPattern(path), SingleResultAuthorizationManager.permitAll()));
        ADMINISTRATION.forEach(path -> rules.add(pathPattern(path), any(Role.ADMIN)));
        Stream.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS)
                .forEach(method -> rules.add(pathPattern(method, "/**"), any(Role.READ, Role.SUBMIT)));
        // Tools check the role of the operation that they call.
        rules.add(TOOLS, any(Role.READ, Role.SUBMIT));
        return rules.add(AnyRequestMatcher.INSTANCE, any(Role.SUBMIT)).build();
    }

    private static AuthorizationManager<RequestAuthorizationContext> any(Role... roles) {
        return AuthorityAuthorizationManager.hasAnyAuthority(
                Stream.of(roles).map(Role::word).toArray(String[]::new));
    }

    /// Limits the requests of each caller per minute on this replica; bursts of up to one minute's requests are
    /// allowed. Tools report the limit themselves, see [Guard#wait(HttpServletRequest)].
    static final class RateLimit extends OncePerRequestFilter {
        private static final Duration PERIOD = Duration.ofMinutes(1);
        private static final int MOST_CALLERS = 100_000;

        private final int requests;
        private final Refusals refusals;
        private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
                .maximumSize(MOST_CALLERS)
                .expireAfterAccess(PERIOD)
                .build();

        /// @param requests requests per minute; 0 for no limit
        RateLimit(int requests, Refusals refusals) {
            this.requests = requests;
            this.refusals = refusals;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String owner = Caller.current().owner();
            if (owner == null || requests == 0) {
                chain.doFilter(request, response);
                return;
            }
            ConsumptionProbe probe = buckets.get(owner, _ -> full()).tryConsumeAndReturnRemaining(1);
            Duration wait = Duration.ofNanos(probe.getNanosToWaitForRefill());
            if (probe.isConsumed() || TOOLS.matches(request)) {
                request.setAttribute(WAIT, probe.isConsumed() ? null : wait);
                chain.doFilter(request, response);
            } else {
                refusals.tooMany(response, wait);
            }
        }

        private Bucket full() {
            return Bucket.builder()
                    // Works when the clock is set back, unlike the default.
                    .withNanosecondPrecision()
                    .addLimit(limit -> limit.capacity(requests).refillGreedy(requests, PERIOD))
                    .build();
        }
    }
}

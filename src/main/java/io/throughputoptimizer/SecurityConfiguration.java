package io.throughputoptimizer;

import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.security.Guard;
import io.throughputoptimizer.security.KeyRing;
import io.throughputoptimizer.security.Protection;
import io.throughputoptimizer.security.ShareLinks;
import io.throughputoptimizer.security.TokenIssuer;
import io.throughputoptimizer.web.bound.HttpLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/// Puts together who may call the service.
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    private static final Logger log = LoggerFactory.getLogger(SecurityConfiguration.class);

    /// After the filters that make a request readable, before everything else.
    private static final int ORDER = -100;

    @Bean
    KeyRing keyRing(JdbcClient jdbc, Clock clock) {
        return new KeyRing(jdbc, clock);
    }

    @Bean
    ShareLinks shareLinks(JdbcClient jdbc, Clock clock) {
        return new ShareLinks(jdbc, clock);
    }

    @Bean
    TokenIssuer.Settings tokenSettings(SecurityProperties settings) {
        SecurityProperties.Jwt jwt = settings.jwt();
        return new TokenIssuer.Settings(jwt.issuer(), jwt.jwkSet(), jwt.audience(), jwt.rolesClaim(), jwt.rolePrefix());
    }

    @Bean
    Protection protection(
            SecurityProperties settings,
            KeyRing keys,
            TokenIssuer.Settings tokens,
            @Value("${server.address:}") String bound) {
        String address = bound.isEmpty() ? "all addresses" : bound;
        boolean loopback = isLoopback(bound);
        Protection protection = Protection.decide(
                settings.access(), new Protection.Circumstances(address, loopback, tokens.isSet() || keys.hasKeys()));
        switch (protection) {
            case KEYS -> log.info("callers need a key, or a token of an issuer that is set");
            case OPEN -> tellOpen(address, loopback);
        }
        return protection;
    }

    private static void tellOpen(String address, boolean loopback) {
        if (loopback) {
            log.info("callers on this machine need no key");
        } else {
            log.warn(
                    "OPEN TO EVERYBODY: the service listens on {} and asks nobody for a key, since"
                            + " optimizer.security.access is open. Whoever reaches it sees, submits and removes all jobs",
                    address);
        }
    }

    private static boolean isLoopback(String bound) {
        try {
            return !bound.isEmpty() && InetAddress.getByName(bound).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }

    /// Places of event streams.
    @Bean
    CallerQuota streams(SecurityProperties settings, HttpLimits limits) {
        return new CallerQuota(limits.mostWaiting(), settings.maximumStreams());
    }

    /// Places of requests that wait for the end of a search.
    @Bean
    CallerQuota waiting(HttpLimits limits) {
        return new CallerQuota(limits.mostWaiting());
    }

    /// Pages of other sites may call the service only from origins that are set. Without any, browsers are told
    /// nothing, and keep them away. No cookie goes along: the page has a key or it has not.
    @Bean
    ServletContextInitializer otherSites(OptimizerProperties settings) {
        List<String> origins = settings.http().allowedOrigins();
        if (origins.isEmpty()) {
            return _ -> {};
        }
        CorsConfiguration allowed = new CorsConfiguration();
        allowed.setAllowedOrigins(origins);
        allowed.setAllowedMethods(List.of("GET", "HEAD", "POST", "PATCH", "DELETE"));
        allowed.setAllowedHeaders(List.of(
                "Authorization",
                "Content-Type",
                "Accept",
                "Prefer",
                "Idempotency-Key",
                "If-None-Match",
                "Share-Token",
                "Mcp-Protocol-Version"));
        allowed.setExposedHeaders(List.of("Location", "ETag", "Preference-Applied", "Retry-After", "WWW-Authenticate"));
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/api/**", allowed);
        source.registerCorsConfiguration("/mcp", allowed);
        FilterRegistrationBean<CorsFilter> filter = new FilterRegistrationBean<>(new CorsFilter(source));
        filter.setName("otherSites");
        filter.setOrder(ORDER - 1);
        return filter;
    }

    /// Returns the filter that checks keys, or none if access is open.
    @Bean
    ServletContextInitializer guard(
            Protection protection, SecurityProperties settings, KeyRing keys, TokenIssuer.Settings tokens) {
        return switch (protection) {
            case OPEN -> _ -> {};
            case KEYS -> {
                TokenIssuer issuer = tokens.isSet() ? new TokenIssuer(tokens) : null;
                FilterRegistrationBean<FilterChainProxy> guard =
                        new FilterRegistrationBean<>(Guard.chain(keys, issuer, settings.requestsPerMinute()));
                guard.setName("guard");
                guard.setOrder(ORDER);
                yield guard;
            }
        };
    }
}

package io.throughputoptimizer.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.web.filter.OncePerRequestFilter;

/// Limits the requests of each caller per minute on this replica; bursts of up to one minute's requests are
/// allowed.
final class RateLimit extends OncePerRequestFilter {
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
        if (probe.isConsumed()) {
            chain.doFilter(request, response);
        } else {
            refusals.tooMany(response, Duration.ofNanos(probe.getNanosToWaitForRefill()));
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

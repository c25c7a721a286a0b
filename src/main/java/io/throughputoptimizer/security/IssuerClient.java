package io.throughputoptimizer.security;

import io.github.bucket4j.Bucket;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestOperations;
import org.springframework.web.client.RestTemplate;

/// HTTP client for the documents of a token issuer. Any caller can trigger a request with a token that names an
/// unknown key, so each document is requested at most a few times in a burst and then once in ten seconds; in
/// between, the last response is reused. Thread-safe.
final class IssuerClient implements ClientHttpRequestInterceptor {
    private static final int AT_ONCE = 3;
    static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LONGEST_DOCUMENT = 1 << 20;

    /// Rate limit and last response of one address.
    private static final class Place {
        private final Bucket questions = Bucket.builder()
                .withNanosecondPrecision()
                .addLimit(limit -> limit.capacity(AT_ONCE).refillGreedy(1, PERIOD))
                .build();

        private volatile @Nullable Document last;
    }

    private final Map<URI, Place> places = new ConcurrentHashMap<>();

    private IssuerClient() {}

    static RestOperations make() {
        SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(PATIENCE);
        requests.setReadTimeout(PATIENCE);
        RestTemplate client = new RestTemplate(requests);
        client.getInterceptors().add(new IssuerClient());
        return client;
    }

    /// @throws IOException if the issuer does not respond, or recently did not
    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        Place place = places.computeIfAbsent(request.getURI(), _ -> new Place());
        if (place.questions.tryConsume(1)) {
            try (ClientHttpResponse answer = execution.execute(request, body)) {
                place.last = new Document(answer);
            } catch (IOException e) {
                place.last = null;
                throw e;
            }
        }
        Document last = place.last;
        if (last == null) {
            throw new IOException(request.getURI() + " was asked a moment ago");
        }
        return last.read();
    }

    /// A response that can be read repeatedly.
    private static final class Document {
        private final HttpStatusCode status;
        private final HttpHeaders headers;
        private final byte[] body;

        private Document(ClientHttpResponse answer) throws IOException {
            status = answer.getStatusCode();
            headers = answer.getHeaders();
            body = answer.getBody().readNBytes(LONGEST_DOCUMENT);
        }

        private ClientHttpResponse read() {
            InputStream stream = new ByteArrayInputStream(body);
            return new ClientHttpResponse() {
                @Override
                public HttpStatusCode getStatusCode() {
                    return status;
                }

                @Override
                public String getStatusText() {
                    HttpStatus known = HttpStatus.resolve(status.value());
                    return known == null ? "" : known.getReasonPhrase();
                }

                @Override
                public void close() {
                    // No resources to release.
                }

                @Override
                public InputStream getBody() {
                    return stream;
                }

                @Override
                public HttpHeaders getHeaders() {
                    return headers;
                }
            };
        }
    }
}

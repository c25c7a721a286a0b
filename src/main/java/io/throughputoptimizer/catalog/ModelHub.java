package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.model.stored.FoldedNames;
import io.throughputoptimizer.core.model.stored.StoredModel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/// A hub with the layout of Hugging Face: the configuration of `Owner/Name` is
/// `Owner/Name/resolve/main/config.json` below its address. If that states no quantization and
/// `hf_quant_config.json` exists, the latter becomes the field `hf_quant_config` of the configuration. Fetched
/// configurations are cached in a folder permanently. Redirects to other hosts are not followed. Thread-safe.
public final class ModelHub implements ModelSource {
    private static final Logger log = LoggerFactory.getLogger(ModelHub.class);
    private static final TypeReference<Map<String, @Nullable Object>> CONFIG = new TypeReference<>() {};
    private static final String PART = "[A-Za-z0-9][A-Za-z0-9_.-]{0,95}";
    private static final Pattern ID = Pattern.compile(PART + "/" + PART);
    private static final String FILE = "config.json";
    private static final String BESIDE = FoldedNames.FILE_BESIDE + ".json";
    /// Size in bytes above which a configuration lists modules individually, which would enlarge requests.
    private static final int LONG = 1 << 16;

    private static final int MOST_REDIRECTS = 3;
    private static final int MOST_AT_ONCE = 8;

    private final URI address;
    private final Path folder;
    private final Duration timeout;
    private final long maximumBytes;
    private final HttpClient client;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    /// @param address URL with scheme `http` or `https`
    /// @param folder cache folder, created if missing
    /// @param timeout timeout per configuration
    /// @param maximumBytes maximum size of a configuration
    public ModelHub(URI address, Path folder, Duration timeout, long maximumBytes) {
        String text = address.toString();
        this.address = URI.create(text.endsWith("/") ? text : text + "/");
        this.folder = folder;
        this.timeout = timeout;
        this.maximumBytes = maximumBytes;
        this.client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    @Override
    public Optional<Map<String, @Nullable Object>> config(String id) {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Path kept = folder.resolve(id + ".json");
        try {
            return Optional.of(read(Files.readAllBytes(kept)));
        } catch (IOException _) {
            // Not fetched yet.
        }
        Optional<byte[]> fetched = fetchAmongFew(id);
        Optional<Map<String, @Nullable Object>> config = fetched.map(this::read);
        fetched.ifPresent(document -> keep(kept, document));
        return config;
    }

    private Optional<byte[]> fetchAmongFew(String id) {
        if (!places.tryAcquire()) {
            throw ModelSourceException.passing("too many are being fetched from " + address.getHost());
        }
        try {
            return fetch(id);
        } finally {
            places.release();
        }
    }

    /// Fetches a configuration; empty if the hub has no public one.
    private Optional<byte[]> fetch(String id) {
        long deadline = System.nanoTime() + timeout.toNanos();
        return fetch(id, FILE, deadline).map(document -> {
            Map<String, @Nullable Object> config = object(document, FILE);
            return StoredModel.saysQuantization(config)
                    ? document
                    : fetch(id, BESIDE, deadline)
                            .map(beside -> with(document, config.isEmpty(), beside))
                            .orElse(document);
        });
    }

    /// Inserts the quantization file as the first field of a configuration.
    private byte[] with(byte[] document, boolean empty, byte[] beside) {
        object(beside, BESIDE);
        String rest = text(document).strip().substring(1);
        String together =
                "{\"" + FoldedNames.FILE_BESIDE + "\": " + text(beside).strip() + (empty ? "" : ",") + rest;
        return together.getBytes(StandardCharsets.UTF_8);
    }

    private Map<String, @Nullable Object> read(byte[] document) {
        Map<String, @Nullable Object> config = object(document, FILE);
        return document.length > LONG ? FoldedNames.of(config) : config;
    }

    private Map<String, @Nullable Object> object(byte[] document, String file) {
        try {
            Map<String, @Nullable Object> object = StrictMappers.JSON.readValue(text(document), CONFIG);
            if (object != null) {
                return object;
            }
        } catch (JacksonException _) {
            // The exception's message would quote the document.
        }
        throw ModelSourceException.lasting("its " + file + " at " + address.getHost() + " is not a JSON object");
    }

    private static String text(byte[] document) {
        return new String(document, StandardCharsets.UTF_8);
    }

    private void keep(Path file, byte[] document) {
        try {
            Path made = Files.createDirectories(file.getParent());
            Path written = Files.write(Files.createTempFile(made, ".", ".tmp"), document);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            log.warn("cannot keep {}, which is fetched again the next time: {}", file, e.toString());
        }
    }

    /// Fetches a file; empty if the hub has no public one.
    private Optional<byte[]> fetch(String id, String file, long deadline) {
        URI asked = address.resolve(id + "/resolve/main/" + file);
        for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
            HttpResponse<Optional<byte[]>> answer = get(asked, deadline);
            switch (answer.statusCode()) {
                case 200 -> {
                    return Optional.of(answer.body().orElseThrow(() -> tooLong(file)));
                }
                case 401, 403, 404 -> {
                    return Optional.empty();
                }
                case 301, 302, 303, 307, 308 -> asked = redirected(asked, answer, file);
                default -> throw refused(answer.statusCode());
            }
        }
        throw ModelSourceException.lasting(address.getHost() + " redirects its " + file + " again and again");
    }

    private HttpResponse<Optional<byte[]>> get(URI asked, long deadline) {
        HttpRequest request = HttpRequest.newBuilder(asked)
                .header("Accept", "application/json, text/plain")
                .build();
        CompletableFuture<HttpResponse<Optional<byte[]>>> answer =
                client.sendAsync(request, _ -> new LimitedBody(maximumBytes));
        try {
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw ModelSourceException.passing(address.getHost() + " did not answer in " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            log.warn("cannot fetch {}: {}", asked, String.valueOf(e.getCause()));
            throw ModelSourceException.passing(address.getHost() + " cannot be reached");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ModelSourceException.passing("the service stops");
        } finally {
            answer.cancel(true);
        }
    }

    /// Returns the redirect target on the same host.
    private URI redirected(URI asked, HttpResponse<?> answer, String file) {
        try {
            URI next = asked.resolve(answer.headers().firstValue("Location").orElse(""));
            if (address.getScheme().equals(next.getScheme())
                    && address.getRawAuthority().equals(next.getRawAuthority())) {
                return next;
            }
        } catch (IllegalArgumentException _) {
            // Not a valid address.
        }
        throw ModelSourceException.lasting(
                address.getHost() + " redirects its " + file + " elsewhere, which is not followed");
    }

    private ModelSourceException tooLong(String file) {
        return ModelSourceException.lasting(
                "its " + file + " at " + address.getHost() + " is longer than " + maximumBytes + " bytes");
    }

    private ModelSourceException refused(int status) {
        String message = address.getHost() + " answered " + status;
        return status == 429 || status >= 500
                ? ModelSourceException.passing(message)
                : ModelSourceException.lasting(message);
    }
}

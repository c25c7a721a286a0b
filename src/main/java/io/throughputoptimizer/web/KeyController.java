package io.throughputoptimizer.web;

import io.throughputoptimizer.api.key.KeyRequest;
import io.throughputoptimizer.api.key.KeyResponse;
import io.throughputoptimizer.api.key.KeyResponse.KeyListResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.security.KeyEntry;
import io.throughputoptimizer.security.KeyRing;
import io.throughputoptimizer.web.parameter.JobQuery;
import io.throughputoptimizer.web.parameter.ListPage;
import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Keys of callers: make, list and revoke, for admins.
@RestController
@RequestMapping(path = "/api/v1/keys", produces = MediaType.APPLICATION_JSON_VALUE)
class KeyController {
    private static final Logger log = LoggerFactory.getLogger(KeyController.class);

    private final RequestValidator validator;
    private final KeyRing keys;
    private final Clock clock;

    KeyController(RequestValidator validator, KeyRing keys, Clock clock) {
        this.validator = validator;
        this.keys = keys;
        this.clock = clock;
    }

    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    ResponseEntity<KeyResponse> create(@RequestBody KeyRequest request) {
        String admin = admin();
        validator.check(request);
        KeyRing.Created created = keys.create(
                Objects.requireNonNull(request.name()),
                Objects.requireNonNull(request.roles()),
                Duration.ofDays(Objects.requireNonNull(request.expiresInDays())));
        log.info("{} made {} for {}", admin, created.key(), created.entry().name());
        return ResponseEntity.status(HttpStatus.CREATED)
                .body(response(created.entry(), created.key().reveal()));
    }

    @GetMapping
    KeyListResponse list(
            @RequestParam(defaultValue = JobQuery.DEFAULT_PAGE) String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        admin();
        ListPage<KeyEntry> page = ListPage.of(keys.list(), KeyEntry::id, limit, cursor);
        return new KeyListResponse(
                page.entries().stream().map(entry -> response(entry, null)).toList(), page.nextCursor());
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> revoke(@PathVariable String id) {
        String admin = admin();
        if (keys.list().stream().noneMatch(entry -> entry.id().equals(id))) {
            throw ProblemException.notFound("There is no key of this id.");
        }
        List<String> revoked = keys.revoke(id);
        revoked.forEach(gone -> log.info("{} revoked key {}", admin, gone));
        return ResponseEntity.noContent().build();
    }

    /// With access control, filters have already checked that the caller is an admin.
    private static String admin() {
        Caller caller = Caller.current();
        if (!caller.isKnown()) {
            throw ProblemException.keysUnused();
        }
        return caller.name();
    }

    private KeyResponse response(KeyEntry entry, @Nullable String key) {
        return new KeyResponse(
                entry.id(),
                entry.name(),
                entry.roles().stream().sorted().toList(),
                entry.state(clock.instant()),
                entry.createdAt(),
                entry.expiresAt(),
                entry.revokedAt(),
                key);
    }
}

package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.job.ShareResponse;
import io.throughputoptimizer.api.job.ShareResponse.ShareListResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.security.ShareLinks;
import io.throughputoptimizer.web.parameter.JobQuery;
import io.throughputoptimizer.web.parameter.ListPage;
import io.throughputoptimizer.web.problem.ProblemException;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
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

/// Links that show one optimization to people without a key: make, list and revoke, for its owner and admins.
@RestController
@RequestMapping(path = "/api/v1/optimizations/{id}/shares", produces = MediaType.APPLICATION_JSON_VALUE)
class ShareController {
    private static final Logger log = LoggerFactory.getLogger(ShareController.class);

    /// Page of the dashboard; browsers do not send the part after # to servers.
    private static final String PATH = "/#/s/";

    private final JobStore store;
    private final JobRunner runner;
    private final ShareLinks links;
    private final RequestValidator validator;

    ShareController(JobStore store, JobRunner runner, ShareLinks links, RequestValidator validator) {
        this.store = store;
        this.runner = runner;
        this.links = links;
        this.validator = validator;
    }

    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    ResponseEntity<ShareResponse> share(@PathVariable String id, @RequestBody ShareRequest request) {
        OptimizationJob job = JobLookup.findToEnd(store, id);
        validator.check(request);
        JobLookup.requireResult(runner.describe(job));
        ShareLinks.Created created = links.create(
                        job.id(), Duration.ofDays(Objects.requireNonNull(request.expiresInDays())))
                .orElseThrow(() -> ProblemException.tooManyShares(ShareLinks.MOST));
        log.info("{} made link {} to {}", Caller.current().name(), created.token(), job.id());
        ShareLinks.Link link = created.link();
        String token = created.token().reveal();
        return ResponseEntity.status(HttpStatus.CREATED)
                .body(new ShareResponse(link.id(), link.createdAt(), link.expiresAt(), token, PATH + token));
    }

    @GetMapping
    ShareListResponse list(
            @PathVariable String id,
            @RequestParam(defaultValue = JobQuery.DEFAULT_PAGE) String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        ListPage<ShareLinks.Link> page =
                ListPage.of(links.list(JobLookup.findToEnd(store, id).id()), ShareLinks.Link::id, limit, cursor);
        return new ShareListResponse(
                page.entries().stream()
                        .map(link -> new ShareResponse(link.id(), link.createdAt(), link.expiresAt(), null, null))
                        .toList(),
                page.nextCursor());
    }

    @DeleteMapping("/{share}")
    ResponseEntity<Void> revoke(@PathVariable String id, @PathVariable String share) {
        OptimizationJob job = JobLookup.findToEnd(store, id);
        if (!links.revoke(job.id(), share)) {
            throw ProblemException.notFound("The optimization has no link of this id.");
        }
        log.info("{} revoked a link to {}", Caller.current().name(), job.id());
        return ResponseEntity.noContent().build();
    }

    /// A link to be made, as it comes over the wire.
    @Schema(name = "ShareRequest", description = "A link that shows one optimization to people without a key.")
    public record ShareRequest(
            @Schema(description = "Days until the link expires. Default: 30.", example = "30")
            @Min(1)
            @Max(ShareRequest.MOST_DAYS)
            @Nullable
            Integer expiresInDays) {
        public static final int DEFAULT_DAYS = 30;
        public static final int MOST_DAYS = 365;

        public ShareRequest {
            expiresInDays = expiresInDays == null ? DEFAULT_DAYS : expiresInDays;
        }
    }
}

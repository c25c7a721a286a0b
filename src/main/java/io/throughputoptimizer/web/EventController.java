package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Progress of optimizations as it happens, whichever replica runs them.
@RestController
@RequestMapping("/api/v1/optimizations/{id}/events")
class EventController {
    private final JobStore store;
    private final JobRunner runner;
    private final JobEvents<OptimizationJob.Standing> events;
    private final EventStreams streams;

    EventController(
            JobStore store, JobRunner runner, JobEvents<OptimizationJob.Standing> events, EventStreams streams) {
        this.store = store;
        this.runner = runner;
        this.events = events;
        this.streams = streams;
    }

    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> follow(@PathVariable String id) {
        UUID known = JobLookup.findWithoutResult(store, id).id();
        return streams.open(new EventStreams.Followed<>(
                known, events, () -> store.findWithoutResult(known).isPresent(), runner::describe));
    }

    /// Answers the headers only: a stream without a reader would continue until its job ends.
    @Operation(hidden = true)
    @RequestMapping(method = RequestMethod.HEAD, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<Void> look(@PathVariable String id) {
        JobLookup.findWithoutResult(store, id);
        return EventStreams.head();
    }
}

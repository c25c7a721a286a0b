package io.throughputoptimizer.web;

import io.throughputoptimizer.api.benchmark.ImportResponse;
import io.throughputoptimizer.api.benchmark.RequestFile;
import io.throughputoptimizer.catalog.Catalogs;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Inputs of other planners as requests; nothing is kept of them.
@RestController
class ImportController {
    static final String PATH = "/api/v1/import";

    private final Uploads uploads;
    private final Catalogs catalogs;

    ImportController(Uploads uploads, Catalogs catalogs) {
        this.uploads = uploads;
        this.catalogs = catalogs;
    }

    @PostMapping(
            path = PATH,
            consumes = {MediaType.APPLICATION_YAML_VALUE, MediaType.TEXT_PLAIN_VALUE, MediaType.APPLICATION_JSON_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    ImportResponse importRequest(HttpServletRequest request) {
        return uploads.readUnpacked(
                request,
                "file",
                (body, _) -> RequestFile.read(body, catalogs.models().ids()::contains));
    }
}

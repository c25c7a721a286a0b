package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.report.PageTables;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// The columns of the page's tables. It belongs to the page and is no part of the API.
@Hidden
@RestController
class PageColumnsController {
    private final FixedDocument tables =
            FixedDocument.of(WireFormat.write(PageTables.all()).getBytes(StandardCharsets.UTF_8));

    @GetMapping(path = "/dashboard/columns.json", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> columns(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return tables.answer(encodings);
    }
}

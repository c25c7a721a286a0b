package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.report.PageTables;
import io.throughputoptimizer.web.description.ApiDescriptionController.FixedDocument;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/// The columns of the page's tables, and what the page says of the service. They belong to the page and are no part of
/// the API.
@Hidden
@RestController
class PageController {
    private final FixedDocument tables =
            FixedDocument.of(WireFormat.write(PageTables.all()).getBytes(StandardCharsets.UTF_8));

    private final FixedDocument about;

    PageController(ObjectProvider<BuildProperties> build, DevicePrices prices) {
        Map<String, Object> known = new TreeMap<>();
        known.put("prices", Map.of("currency", prices.currency(), "per_device_hour", prices.perDeviceHour()));
        build.ifAvailable(built -> known.put("version", built.getVersion()));
        this.about = FixedDocument.of(WireFormat.write(known).getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping(path = "/dashboard/about.json", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> about(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return about.answer(encodings);
    }

    @GetMapping(path = "/dashboard/columns.json", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> columns(
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, required = false) @Nullable String encodings) {
        return tables.answer(encodings);
    }

    /// Leads to the help of the dashboard from a short address.
    @GetMapping("/help")
    ResponseEntity<Void> help() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .header(HttpHeaders.LOCATION, "./#/help")
                .build();
    }
}

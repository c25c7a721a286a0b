package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Leads to the help of the dashboard from an address that one can say.
@RestController
@Hidden
class HelpController {
    @GetMapping("/help")
    ResponseEntity<Void> help() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .header(HttpHeaders.LOCATION, "./#/help")
                .build();
    }
}

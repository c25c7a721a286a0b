package io.throughputoptimizer.api.key;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/// All keys.
@Schema(name = "KeyList", description = "All keys that were ever made, oldest first, without their secrets.")
public record KeyListResponse(
        @Schema(description = "The keys.") List<KeyResponse> keys) {}

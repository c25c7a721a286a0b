package io.throughputoptimizer.api.key;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Whether a key opens anything.
public enum KeyState {
    @JsonProperty("valid")
    VALID,
    @JsonProperty("expired")
    EXPIRED,
    @JsonProperty("revoked")
    REVOKED
}

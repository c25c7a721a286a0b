package io.throughputoptimizer.api.key;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The state of an API key; only valid keys give access.
public enum KeyState {
    @JsonProperty("valid")
    VALID,
    @JsonProperty("expired")
    EXPIRED,
    @JsonProperty("revoked")
    REVOKED
}

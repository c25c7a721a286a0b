package io.throughputoptimizer.core.memory;

import java.io.Serial;

/// Failure to say the memory of a rank: no rule covers it. The message is the reason.
public final class MemoryNotSpecifiedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    MemoryNotSpecifiedException(String reason) {
        super(reason);
    }
}

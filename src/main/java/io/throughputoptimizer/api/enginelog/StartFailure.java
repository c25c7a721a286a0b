package io.throughputoptimizer.api.enginelog;

import org.jspecify.annotations.Nullable;

/// Reasons why a server does not start, the most telling first.
enum StartFailure {
    NO_CACHE("No available memory for the cache blocks", "no memory is left for the KV cache"),
    NO_POOL("Not enough memory. Please try to increase --mem-fraction-static", "no memory is left for the KV cache"),
    SHORT_CACHE("larger than the available KV cache memory", "the KV cache is too small for one request"),
    SHORT_BLOCKS("tokens that can be stored in KV cache", "the KV cache is too small for one request"),
    NO_SHARE("less than desired GPU memory utilization", "less memory is free than the share asks for"),
    FEW_STATES("exceeds available Mamba cache blocks", "the KV cache has fewer states than max_num_seqs"),
    OUT_OF_MEMORY("OutOfMemoryError", "the device is out of memory"),
    CUDA_MEMORY("CUDA out of memory", "the device is out of memory"),
    CUDA_ERROR("CUDA error: out of memory", "the device is out of memory"),
    HIP_MEMORY("HIP out of memory", "the device is out of memory"),
    NPU_MEMORY("NPU out of memory", "the device is out of memory"),
    ENGINE("ngine core initialization failed", "the engine failed"),
    ENGINE_CORE("EngineCore failed to start", "the engine failed"),
    ENGINE_PROCESS("Engine process failed to start", "the engine failed");

    private final String words;
    final String reason;

    StartFailure(String words, String reason) {
        this.words = words;
        this.reason = reason;
    }

    /// A reason, and its line.
    record Found(StartFailure failure, long line) {}

    /// Returns the more telling reason of a line and those before it.
    static @Nullable Found told(String line, long number, @Nullable Found before) {
        for (StartFailure failure : values()) {
            if (before != null && before.failure.compareTo(failure) <= 0) {
                return before;
            }
            if (line.contains(failure.words)) {
                return new Found(failure, number);
            }
        }
        return before;
    }
}

package io.throughputoptimizer.api.enginelog;

import static io.throughputoptimizer.api.enginelog.Mark.Place.AFTER;
import static io.throughputoptimizer.api.enginelog.Mark.Place.BEFORE;

import java.util.List;

/// Words of a log line, and the figure that stands after or before them.
///
/// SGLang and vLLM before 0.8 write GB where they divide by 2^30 (`get_available_gpu_memory` and `GB` of SGLang,
/// `DeviceMemoryProfiler` of vLLM): all are GiB.
///
/// @param weight weight of the figure against others of the same fact
record Mark(String words, Fact fact, Place place, int weight) {
    /// Weight of a command line.
    static final int COMMAND = 0;

    /// Weight of a figure that a line rounds, or sums up later.
    static final int ROUNDED = 1;

    /// Weight of an argument.
    static final int ARGUMENT = 2;

    /// Weight of the line that says what the engine does.
    static final int RESOLVED = 3;

    /// Words of vLLM where its command says the bytes of the cache, and the share counts for nothing.
    static final String FIXED_POOL = " GiB memory for KV Cache as specified by kv_cache_memory_bytes";

    enum Place {
        BEFORE,
        AFTER
    }

    /// Lines of vLLM 0.6 to 0.29, both engines.
    static final List<Mark> VLLM = List.of(
            new Mark("Model loading took ", Fact.WEIGHTS, AFTER, RESOLVED),
            new Mark("Loading model weights took ", Fact.WEIGHTS, AFTER, RESOLVED),
            new Mark("model weights take ", Fact.WEIGHTS, AFTER, ROUNDED),
            new Mark("; weights memory: ", Fact.WEIGHTS, AFTER, ROUNDED),
            new Mark(" GiB for weight,", Fact.WEIGHTS, BEFORE, ROUNDED),
            new Mark("PyTorch activation peak memory takes ", Fact.ACTIVATION, AFTER, RESOLVED),
            new Mark("torch peak memory increase: ", Fact.ACTIVATION, AFTER, RESOLVED),
            new Mark(" GiB for peak activation", Fact.ACTIVATION, BEFORE, ROUNDED),
            new Mark("peak_torch_memory=", Fact.PEAK_TORCH, AFTER, RESOLVED),
            new Mark("non_torch_memory takes ", Fact.OTHER, AFTER, RESOLVED),
            new Mark("non_torch_memory=", Fact.OTHER, AFTER, RESOLVED),
            new Mark("non-torch forward increase memory: ", Fact.OTHER, AFTER, RESOLVED),
            new Mark(" GiB for non-torch memory", Fact.OTHER, BEFORE, ROUNDED),
            new Mark("total consumed (from mem_get_info): ", Fact.CONSUMED, AFTER, RESOLVED),
            new Mark(" GiB for consumed memory", Fact.CONSUMED, BEFORE, ROUNDED),
            new Mark("Estimated CUDA graph memory: ", Fact.GRAPHS, AFTER, RESOLVED),
            new Mark(" GiB for CUDAGraph memory", Fact.GRAPHS, BEFORE, ROUNDED),
            new Mark(" secs, took ", Fact.GRAPHS, AFTER, ARGUMENT),
            new Mark("Available KV cache memory: ", Fact.KV_POOL, AFTER, RESOLVED),
            new Mark("the rest of the memory reserved for KV Cache is ", Fact.KV_POOL, AFTER, RESOLVED),
            new Mark(" kv_cache_size=", Fact.KV_POOL, AFTER, RESOLVED),
            new Mark(FIXED_POOL, Fact.KV_POOL, BEFORE, RESOLVED),
            new Mark("GPU KV cache size: ", Fact.KV_TOKENS, AFTER, RESOLVED),
            new Mark("GPU blocks: ", Fact.BLOCKS, AFTER, RESOLVED),
            new Mark("cuda blocks: ", Fact.BLOCKS, AFTER, RESOLVED),
            new Mark("CUDA blocks: ", Fact.BLOCKS, AFTER, RESOLVED),
            new Mark("rocm blocks: ", Fact.BLOCKS, AFTER, RESOLVED),
            new Mark("Maximum concurrency for ", Fact.CONCURRENCY_TOKENS, AFTER, RESOLVED),
            new Mark("tokens per request: ", Fact.CONCURRENCY, AFTER, RESOLVED),
            new Mark("total_gpu_memory (", Fact.SEEN, AFTER, RESOLVED),
            new Mark("results: total_gpu_memory=", Fact.SEEN, AFTER, RESOLVED),
            new Mark("GiB, total memory: ", Fact.SEEN, AFTER, RESOLVED),
            new Mark(" GiB) on startup", Fact.SEEN, BEFORE, RESOLVED),
            new Mark("gpu_memory_utilization (", Fact.MEMORY_SHARE, AFTER, ROUNDED),
            new Mark(" gpu_memory_utilization=", Fact.MEMORY_SHARE, AFTER, ROUNDED),
            new Mark("esired GPU memory utilization (", Fact.MEMORY_SHARE, AFTER, ARGUMENT),
            new Mark("esired GPU memory utilization is (", Fact.MEMORY_SHARE, AFTER, ARGUMENT),
            new Mark("The current --gpu-memory-utilization=", Fact.MEMORY_SHARE, AFTER, ARGUMENT),
            new Mark("with max_num_batched_tokens=", Fact.TOKEN_BUDGET, AFTER, RESOLVED),
            new Mark("Using max model len ", Fact.MAX_MODEL_LEN, AFTER, RESOLVED));
}

package io.throughputoptimizer.core.memory;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// Memory parameters of a serving engine by version. All values are data.
///
/// @param backend name of the engine, such as `vllm`
/// @param law formula that sizes the KV cache
/// @param newest default version of a request
/// @param versions parameters by the first version that has them
/// @param reserve default share of an engine that computes one; absent if `share` of the parameters is the
///     default
/// @param bands errors of the cache by class
/// @param devices memory of devices by name
public record EngineMemory(
        String backend,
        Law law,
        EngineVersion newest,
        NavigableMap<EngineVersion, Parameters> versions,
        @Nullable Reserve reserve,
        Map<BandClass, Band> bands,
        Map<String, DeviceMemory> devices) {

    /// Maximum relative difference between nominal and reported memory.
    private static final double LARGEST_DIFFERENCE = 0.1;

    /// Size of the KV cache of a rank, in GiB.
    public enum Law {
        /// `share seen - weights - activation - other - graphs`: vLLM, vLLM-Ascend.
        PROFILED,
        /// `share (seen - other) - weights`: SGLang.
        STATIC_SHARE,
        /// `share (seen - weights - other)`: TensorRT-LLM.
        FREE_SHARE
    }

    /// Classes of servers with similar errors.
    public enum BandClass {
        ALONE,
        SEVERAL,
        RECURRENT,
        COMPRESSED,
        UNIFIED,
        /// Versions that the memory model does not cover well.
        OLD,
        /// All servers of an engine.
        ALL
    }

    /// Errors of the cache, 5% and 95%.
    ///
    /// @param lowGib smallest error, negative
    /// @param highGib largest error
    /// @param measured whether logs are its basis; otherwise a guess
    public record Band(double lowGib, double highGib, boolean measured) {}

    /// Padding of the width `I_e` of an MXFP4 expert on its rank and of the hidden size `H`.
    public enum Mxfp4Kernel {
        /// Multiples of 128 and of 256.
        MARLIN(128, 256),
        /// Multiples of 256; `H` as it is.
        TRITON(256, 1),
        /// Multiples of 256 both.
        TRTLLM(256, 256),
        /// No padding.
        NONE(1, 1);

        private final int width;
        private final int hidden;

        Mxfp4Kernel(int width, int hidden) {
            this.width = width;
            this.hidden = hidden;
        }

        double width(double expert) {
            return Math.ceil(expert / width) * width;
        }

        double hidden(double size) {
            return Math.ceil(size / hidden) * hidden;
        }
    }

    /// Parameters of a range of versions.
    ///
    /// @param share default memory share
    /// @param logitsBytes bytes of a sequence and token of the vocabulary in the sampler, `b`
    /// @param topkBuffer whether the top-k kernel keeps a row for each multiprocessor
    /// @param expertWorkspaces whether two workspaces of the expert kernels stay allocated
    /// @param samplerGib constant of the sampler's peak
    /// @param forwardGib constant of the forward pass's peak
    /// @param towerGib constant of a loaded tower
    /// @param other memory outside the allocator
    /// @param graphsInShare whether captured graphs take their memory from the share
    /// @param graphsGib memory of graphs that does not depend on their number
    /// @param graphGib memory of a captured graph
    /// @param mxfp4Kernel kernel of MXFP4 experts
    /// @param printsConcurrency whether the log's tokens are those of the printed concurrency
    /// @param defaults sequences and tokens of a step
    /// @param band class of all servers of these versions; absent where the server decides
    public record Parameters(
            double share,
            double logitsBytes,
            boolean topkBuffer,
            boolean expertWorkspaces,
            double samplerGib,
            double forwardGib,
            double towerGib,
            Other other,
            boolean graphsInShare,
            double graphsGib,
            double graphGib,
            Mxfp4Kernel mxfp4Kernel,
            boolean printsConcurrency,
            Defaults defaults,
            @Nullable BandClass band) {}

    /// Memory of a rank outside the allocator, in GiB.
    ///
    /// @param alone memory of a single rank
    /// @param linked memory of several ranks with fast links
    /// @param linkedExperts memory of more than two ranks with fast links, of a model with experts
    /// @param unlinked memory of several ranks over PCIe
    /// @param recurrent additional memory for gated delta nets
    /// @param compressed additional memory for DeepSeek-V4
    /// @param unified additional memory on devices that share the memory of the host
    public record Other(
            double alone,
            double linked,
            double linkedExperts,
            double unlinked,
            double recurrent,
            double compressed,
            double unified) {}

    /// Default maximum sequences `S` and token budget `T`.
    ///
    /// @param largeSequences maximum sequences of devices with 70 GiB or more
    /// @param smallSequences maximum sequences of other devices
    /// @param tokens token budget by the smallest memory in GiB that has it
    /// @param contextTokens largest context that replaces the token budget; 0 if the context does not matter
    /// @param longContextTokens token budget of longer contexts
    public record Defaults(
            int largeSequences,
            int smallSequences,
            NavigableMap<Double, Integer> tokens,
            int contextTokens,
            int longContextTokens) {

        int sequences(DeviceMemory device) {
            return device.isLarge() ? largeSequences : smallSequences;
        }

        int tokens(DeviceMemory device, long context) {
            if (contextTokens > 0) {
                return context <= contextTokens ? (int) context : longContextTokens;
            }
            double seen = device.isLarge() || largeSequences == smallSequences ? device.seenGib() : 0;
            return requireNonNull(tokens.floorEntry(seen)).getValue();
        }
    }

    /// Default share of SGLang, from memory that it reserves, in MiB:
    ///
    ///     reserved = base + perToken max(T, leastTokens) + perGraph G + perRank ranks + apart
    ///     apart    = perGraphAndRank G dp + (perManyGraphs G where G > manyGraphs)
    ///     share    = (M - max(reserved, least where M > leastFrom))/M
    ///
    /// The share has 3 decimals, and is multiplied by `towerShare` with a tower.
    /// `M` is the memory that `nvidia-smi` shows, `G` the number of captured graphs.
    /// `apart` is 0 without attention data parallelism.
    ///
    /// @param graphs `G` by memory
    public record Reserve(
            double baseMib,
            double perTokenMib,
            int leastTokens,
            double perGraphMib,
            double perRankMib,
            double perGraphAndRankMib,
            double perManyGraphsMib,
            int manyGraphs,
            double leastMib,
            double leastFromMib,
            double towerShare,
            List<Graphs> graphs) {

        /// Captured graphs of devices below a memory in GiB.
        ///
        /// @param few graphs of fewer than 4 ranks
        /// @param many graphs of 4 or more ranks
        public record Graphs(double belowGib, int few, int many) {}

        double share(DeviceMemory device, int tokens, int tp, int dp, boolean tower) {
            double total = device.smiMib() > 0 ? device.smiMib() : device.seenGib() * 1024;
            int ranks = tp * dp;
            Graphs captured = graphs.stream()
                    .filter(one -> total / 1024 < one.belowGib)
                    .findFirst()
                    .orElse(graphs.getLast());
            int count = ranks < 4 ? captured.few : captured.many;
            double reserved =
                    baseMib + Math.max(tokens, leastTokens) * perTokenMib + count * perGraphMib + ranks * perRankMib;
            if (dp > 1) {
                reserved += count * dp * perGraphAndRankMib + (count > manyGraphs ? count * perManyGraphsMib : 0);
            }
            double kept = total > leastFromMib ? Math.max(reserved, leastMib) : reserved;
            double share = rounded((total - kept) / total);
            return tower ? rounded(share * towerShare) : share;
        }

        private static double rounded(double share) {
            return Math.rint(share * 1000) / 1000;
        }
    }

    /// Returns the memory of a device; a share of its nominal memory if no log is known, or if a device of that
    /// name has another amount.
    ///
    /// @param nominalGib nominal memory; 0 if only the name matters
    public DeviceMemory device(String name, double nominalGib) {
        DeviceMemory known = devices.get(name);
        boolean other =
                known != null && nominalGib > 0 && Math.abs(known.seenGib() / nominalGib - 1) > LARGEST_DIFFERENCE;
        return known == null || other ? DeviceMemory.ofNominal(name, nominalGib) : known;
    }

    /// Returns these parameters with another amount of memory of a device, as a share of its own.
    public EngineMemory scaled(String name, double factor) {
        DeviceMemory known = devices.get(name);
        if (known == null) {
            return this;
        }
        Map<String, DeviceMemory> changed = new HashMap<>(devices);
        changed.put(
                name,
                new DeviceMemory(
                        name,
                        factor * known.seenGib(),
                        known.multiprocessors(),
                        (int) (factor * known.smiMib()),
                        known.linked(),
                        known.kind(),
                        known.basis()));
        return new EngineMemory(backend, law, newest, versions, reserve, bands, changed);
    }

    /// Returns the parameters of a version: those of the newest range that begins at or before it.
    Parameters at(EngineVersion version) {
        var range = versions.floorEntry(version);
        return range == null ? versions.firstEntry().getValue() : range.getValue();
    }
}

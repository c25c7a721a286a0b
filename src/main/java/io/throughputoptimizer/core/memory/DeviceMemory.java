package io.throughputoptimizer.core.memory;

/// Memory of a device as its runtime reports it.
///
/// @param name catalog name
/// @param seenGib total memory that the runtime reports, in GiB
/// @param multiprocessors streaming multiprocessors
/// @param smiMib memory that `nvidia-smi` shows, in MiB; 0 if unknown
/// @param linked whether ranks communicate over NVLink, xGMI or HCCS rather than PCIe
/// @param kind properties that decide the sizes of the cache and of other memory
/// @param basis origin of `seenGib`
public record DeviceMemory(
        String name, double seenGib, int multiprocessors, int smiMib, boolean linked, Kind kind, Basis basis) {
    static final int UNKNOWN_MULTIPROCESSORS = 108;

    private static final double LARGE_GIB = 70;

    /// Nominal memory that a runtime reports, as a share: a guess for devices without a log.
    private static final double REPORTED_SHARE = 0.985;

    /// Properties that the memory model distinguishes.
    public enum Kind {
        USUAL,
        /// AMD devices, whose compressed entries are not padded.
        ROCM,
        /// Devices that share the memory of the host.
        UNIFIED,
        /// Devices that keep the index of DeepSeek-V4 in 4 bits.
        FP4_INDEX
    }

    /// Origin of the reported memory.
    public enum Basis {
        /// Read from a log.
        LOG,
        /// Estimated from similar devices.
        GUESS,
        /// A share of the nominal memory.
        NOMINAL
    }

    /// Returns a device without a log or an estimate of its own.
    public static DeviceMemory ofNominal(String name, double nominalGib) {
        return new DeviceMemory(
                name, REPORTED_SHARE * nominalGib, UNKNOWN_MULTIPROCESSORS, 0, false, Kind.USUAL, Basis.NOMINAL);
    }

    /// Returns a device that a log does not name. Large devices count as linked.
    public static DeviceMemory ofSeen(double seenGib) {
        return new DeviceMemory(
                "", seenGib, UNKNOWN_MULTIPROCESSORS, 0, seenGib >= LARGE_GIB, Kind.USUAL, Basis.NOMINAL);
    }

    /// Returns this device with the memory that a log prints.
    public DeviceMemory withSeen(double gib) {
        return new DeviceMemory(name, gib, multiprocessors, smiMib, linked, kind, basis);
    }

    /// Returns whether vLLM uses the defaults of large devices: 70 GiB or more, A100 excepted.
    boolean isLarge() {
        return seenGib >= LARGE_GIB && !name.contains("A100");
    }
}

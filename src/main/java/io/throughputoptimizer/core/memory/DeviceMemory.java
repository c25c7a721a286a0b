package io.throughputoptimizer.core.memory;

/// Memory of a device as its runtime reports it.
///
/// @param name catalogue name
/// @param seenGib total memory that the runtime reports, in GiB
/// @param multiprocessors streaming multiprocessors
/// @param smiMib memory that `nvidia-smi` shows, in MiB; 0 where that is unknown
/// @param linked whether ranks exchange over NVLink, xGMI or HCCS rather than PCIe
/// @param kind what decides sizes of the cache and of the rest
/// @param basis where `seenGib` comes from
public record DeviceMemory(
        String name, double seenGib, int multiprocessors, int smiMib, boolean linked, Kind kind, Basis basis) {
    static final int UNKNOWN_MULTIPROCESSORS = 108;

    private static final double LARGE_GIB = 70;

    /// Nominal memory that a runtime reports, as a share: a guess for devices without a log.
    private static final double REPORTED_SHARE = 0.985;

    /// Properties that the law tells apart.
    public enum Kind {
        USUAL,
        /// AMD devices, whose compressed entries are not padded.
        ROCM,
        /// Devices that share the memory of the host.
        UNIFIED,
        /// Devices that keep the index of DeepSeek-V4 in 4 bits.
        FP4_INDEX
    }

    /// Origin of the memory that a device shows.
    public enum Basis {
        /// Read in a log.
        LOG,
        /// Guessed for the device by its kin.
        GUESS,
        /// A share of the nominal memory.
        NOMINAL
    }

    /// A device without a log or a guess of its own.
    public static DeviceMemory ofNominal(String name, double nominalGib) {
        return new DeviceMemory(
                name, REPORTED_SHARE * nominalGib, UNKNOWN_MULTIPROCESSORS, 0, false, Kind.USUAL, Basis.NOMINAL);
    }

    /// A device that a log does not name. Large ones are taken as linked.
    public static DeviceMemory ofSeen(double seenGib) {
        return new DeviceMemory(
                "", seenGib, UNKNOWN_MULTIPROCESSORS, 0, seenGib >= LARGE_GIB, Kind.USUAL, Basis.NOMINAL);
    }

    /// Returns this device with the memory that a log prints.
    public DeviceMemory withSeen(double gib) {
        return new DeviceMemory(name, gib, multiprocessors, smiMib, linked, kind, basis);
    }

    /// Whether vLLM takes the defaults of large devices: 70 GiB or more, A100 excepted.
    boolean isLarge() {
        return seenGib >= LARGE_GIB && !name.contains("A100");
    }
}

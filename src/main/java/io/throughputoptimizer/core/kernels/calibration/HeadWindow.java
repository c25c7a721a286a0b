package io.throughputoptimizer.core.kernels.calibration;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Heads and window of measured attention kernels.
///
/// @param size elements of a head, `D`
/// @param window most recent tokens attended to, `w`; 0 for all
public record HeadWindow(int size, int window) {
    /// Least tokens of a window whose kernels equal those of full attention with a shorter context.
    private static final int LONG_WINDOW = 4096;

    private static final double FARTHEST = 2;

    private static final List<HeadWindow> MEASURED = List.of(
            new HeadWindow(64, 128),
            new HeadWindow(128, 128),
            new HeadWindow(192, 0),
            new HeadWindow(192, 128),
            new HeadWindow(256, 0),
            new HeadWindow(256, 1024),
            new HeadWindow(512, 0));

    /// Returns the name in a calibration, such as `D256w1024/kv_fp8`.
    public String label(String type) {
        return "D" + size + "w" + window + "/" + type;
    }

    /// Returns the types of a class.
    static List<String> types(List<String> types) {
        return MEASURED.stream()
                .flatMap(heads -> types.stream().map(heads::label))
                .toList();
    }

    /// Returns whether a window of that many tokens only shortens the context.
    public static boolean isLong(int window) {
        return window >= LONG_WINDOW;
    }

    /// Returns the measured heads that price these: for a window below 4,096 the nearest window within a factor
    /// of 2, then the nearest size, both by ratio; else full attention with heads of this size. Empty if no
    /// kernel of the class applies.
    ///
    /// @param labels types of the calibration
    public Optional<HeadWindow> nearest(Collection<String> labels) {
        List<HeadWindow> known = MEASURED.stream()
                .filter(heads -> labels.stream().anyMatch(label -> label.startsWith(heads.label(""))))
                .toList();
        Stream<HeadWindow> near = window == 0 || isLong(window)
                ? Stream.of()
                : known.stream().filter(heads -> heads.window > 0 && ratio(heads.window, window) <= FARTHEST);
        return near.min(Comparator.comparingDouble((HeadWindow heads) -> ratio(heads.window, window))
                        .thenComparingDouble(heads -> ratio(heads.size, size)))
                .or(() -> known.stream().filter(new HeadWindow(size, 0)::equals).findFirst());
    }

    private static double ratio(double one, double other) {
        return Math.max(one / other, other / one);
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import java.util.List;
import java.util.Map;

/// Alternatives the explanation can try in the calibrated model.
///
/// @param mostDevices maximum number of connected devices by device name
/// @param keepsCache true if the KV cache type was requested and so stays when the scheme changes
/// @param others other kinds of device with the engine and number formats of the search, smallest memory first
public record CalibratedAlternatives(
        Map<String, Integer> mostDevices, boolean keepsCache, List<CalibratedDevice> others) {
    public CalibratedAlternatives {
        mostDevices = Map.copyOf(mostDevices);
        others = List.copyOf(others);
    }

    /// Returns a copy that states whether the KV cache type was requested.
    public CalibratedAlternatives keepingCache(boolean asked) {
        return new CalibratedAlternatives(mostDevices, asked, others);
    }

    int mostDevices(CalibratedDevice device) {
        return mostDevices.getOrDefault(device.name(), Integer.MAX_VALUE - 1);
    }

    /// Returns the formats of a search under another scheme.
    Precision with(Scheme scheme, Precision now) {
        return new Precision(scheme, keepsCache ? now.cache() : scheme.defaultCache(), now.state(), false);
    }
}

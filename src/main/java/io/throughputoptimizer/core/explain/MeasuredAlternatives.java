package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import java.util.List;
import java.util.Map;

/// Alternatives the explanation can try in the calibrated model.
///
/// @param mostDevices maximum number of connected devices by device name
/// @param keepsCache true if the KV cache type was requested and so stays when the scheme changes
/// @param others other kinds of device with the engine and number formats of the search, smallest memory first
public record MeasuredAlternatives(Map<String, Integer> mostDevices, boolean keepsCache, List<MeasuredDevice> others) {
    public MeasuredAlternatives {
        mostDevices = Map.copyOf(mostDevices);
        others = List.copyOf(others);
    }

    /// Returns a copy that states whether the KV cache type was requested.
    public MeasuredAlternatives keepingCache(boolean asked) {
        return new MeasuredAlternatives(mostDevices, asked, others);
    }

    int mostDevices(MeasuredDevice device) {
        return mostDevices.getOrDefault(device.name(), Integer.MAX_VALUE - 1);
    }

    /// Returns the formats of a search under another scheme.
    Precision with(Scheme scheme, Precision now) {
        return new Precision(scheme, keepsCache ? now.cache() : scheme.defaultCache(), now.state());
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import java.util.List;
import java.util.Map;

/// What else could be asked about measured devices.
///
/// @param mostDevices that can be connected, by name of the kind of device
/// @param keepsCache whether the type of the KV cache was asked for, and so stays when the scheme changes
/// @param others kinds of device that there are, with the engine and number formats of the question, the least memory
///     first
public record MeasuredAlternatives(Map<String, Integer> mostDevices, boolean keepsCache, List<MeasuredDevice> others) {
    public MeasuredAlternatives {
        mostDevices = Map.copyOf(mostDevices);
        others = List.copyOf(others);
    }

    /// The same where it is known whether the type of the KV cache was asked for.
    public MeasuredAlternatives keepingCache(boolean asked) {
        return new MeasuredAlternatives(mostDevices, asked, others);
    }

    int mostDevices(MeasuredDevice device) {
        return mostDevices.getOrDefault(device.name(), Integer.MAX_VALUE - 1);
    }

    /// The formats of a question with another scheme.
    Precision with(Scheme scheme, Precision now) {
        return new Precision(scheme, keepsCache ? now.cache() : scheme.defaultCache(), now.state());
    }
}

package io.throughputoptimizer.api.wire;

import io.throughputoptimizer.api.WireFormat;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/// Writes a latency limit as [LimitReader] reads it.
public final class LimitWriter extends StdSerializer<Double> {
    LimitWriter() {
        super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator generator, SerializationContext context) {
        if (value.isInfinite()) {
            generator.writeString(WireFormat.INFINITE);
        } else {
            generator.writeNumber(value);
        }
    }
}

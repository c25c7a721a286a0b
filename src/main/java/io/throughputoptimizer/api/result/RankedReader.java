package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Tells the rows of rankings apart: only a pair has a ratio.
final class RankedReader extends StdDeserializer<RankedResponse> {
    RankedReader() {
        super(RankedResponse.class);
    }

    @Override
    public RankedResponse deserialize(JsonParser parser, DeserializationContext context) {
        JsonNode row = context.readTree(parser);
        return row.has("pd_ratio")
                ? context.readTreeAsValue(row, RankedPairResponse.class)
                : context.readTreeAsValue(row, RankedDeviceResponse.class);
    }
}

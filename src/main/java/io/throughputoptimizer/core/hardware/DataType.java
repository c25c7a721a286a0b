package io.throughputoptimizer.core.hardware;

/// Element type of a tensor. Sizes are in bits, because packed 4-bit payloads take half a byte.
///
/// Device rates are listed per *rate type* ([#rateType()]): every 8-bit float counts as one type, called
/// FP8 in device profiles.
public enum DataType {
    FLOAT32(32, "float32"),
    FLOAT16(16, "float16"),
    BFLOAT16(16, "bfloat16"),
    FLOAT8_E4M3(8, "float8_e4m3fn"),
    FLOAT8_E5M2(8, "float8_e5m2"),
    /// Block scale of the MX formats.
    FLOAT8_E8M0(8, "float8_e8m0fnu"),
    /// 4-bit payload of MXFP4; its matrix rate is listed as FP4.
    INT4(4, "int4"),
    INT8(8, "int8"),
    UINT8(8, "uint8"),
    BOOL(8, "bool"),
    INT32(32, "int32"),
    INT64(64, "int64");

    private final int bits;
    private final String label;

    DataType(int bits, String label) {
        this.bits = bits;
        this.label = label;
    }

    /// Returns the bytes of `elements` elements; exact for every type and any count below 2^52.
    public double bytes(double elements) {
        return elements * bits / 8;
    }

    /// Returns the name in shapes, such as `float16`.
    public String label() {
        return label;
    }

    /// Returns the type under which a device lists its rate for this type.
    public DataType rateType() {
        return switch (this) {
            case FLOAT8_E4M3, FLOAT8_E5M2, FLOAT8_E8M0 -> FLOAT8_E4M3;
            case FLOAT32, FLOAT16, BFLOAT16, INT4, INT8, UINT8, BOOL, INT32, INT64 -> this;
        };
    }
}

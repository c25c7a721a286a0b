package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.hardware.DataType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Units and type names of device documents.
///
/// Decimal units are shifted as decimals: binary multiplication would turn 1.3 us into 1.2999999999999998e-6 s,
/// which would not be written back unchanged.
final class DeviceUnits {
    /// Powers of ten of decimal units.
    static final int TERA = 12;

    static final int GIGA = 9;
    static final int MICRO = -6;

    /// Binary units.
    static final double GIBI = 0x1p30;

    static final double TEBI = 0x1p40;

    private DeviceUnits() {}

    /// Returns `value * 10^power`, rounded once.
    static double shifted(double value, int power) {
        return BigDecimal.valueOf(value).scaleByPowerOfTen(power).doubleValue();
    }

    /// Returns [#shifted(double, int)], or null for null.
    static @Nullable Double shiftedIfGiven(@Nullable Double value, int power) {
        return value == null ? null : Double.valueOf(shifted(value, power));
    }

    /// Returns the name under which a device document lists the rate of a type.
    static String rateName(DataType type) {
        return switch (type) {
            case FLOAT32 -> "fp32";
            case BFLOAT16 -> "bf16";
            case FLOAT16 -> "fp16";
            case INT8 -> "int8";
            case FLOAT8_E4M3, FLOAT8_E5M2, FLOAT8_E8M0 -> "fp8";
            case INT4 -> "fp4";
            case UINT8, BOOL, INT32, INT64 -> type.label();
        };
    }
}

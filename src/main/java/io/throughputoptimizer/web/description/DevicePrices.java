package io.throughputoptimizer.web.description;

import java.math.BigDecimal;
import java.util.Map;

/// Prices of devices that the operator set.
///
/// @param currency label of the prices
/// @param perDeviceHour price of a device-hour by device
public record DevicePrices(String currency, Map<String, BigDecimal> perDeviceHour) {}

/// The catalog of devices, models and length distributions: strict file readers, and the JSON format of device
/// profiles.
@NullMarked
package io.throughputoptimizer.catalog;

import org.jspecify.annotations.NullMarked;

/// The catalogue of devices, models and length distributions: files read strictly, and the shape in which a
/// device profile travels.
@NullMarked
package io.throughputoptimizer.catalog;

import org.jspecify.annotations.NullMarked;

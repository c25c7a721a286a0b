/// Costs of operators on a device: roofline and collective formulas.
@NullMarked
package io.throughputoptimizer.core.cost;

import org.jspecify.annotations.NullMarked;

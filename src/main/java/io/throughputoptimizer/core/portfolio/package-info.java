/// One stock of devices for many services: which instances each of them gets.
@NullMarked
package io.throughputoptimizer.core.portfolio;

import org.jspecify.annotations.NullMarked;

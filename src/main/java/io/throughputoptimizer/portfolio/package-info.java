/// One stock of devices for many services: from the question to the plan, and the library that solves it.
@NullMarked
package io.throughputoptimizer.portfolio;

import org.jspecify.annotations.NullMarked;

/// The dashboard in a real browser, against the running service.
@NullMarked
package io.throughputoptimizer.dashboard;

import org.jspecify.annotations.NullMarked;

/// Files of other planners as requests, and what is answered to them.
@NullMarked
package io.throughputoptimizer.api.imported;

import org.jspecify.annotations.NullMarked;

/// From requests to the problems they state, by the catalogue.
@NullMarked
package io.throughputoptimizer.api.reading;

import org.jspecify.annotations.NullMarked;

/// What goes out: results of searches, estimates and entries of the catalogue, as they are sent and stored.
@NullMarked
package io.throughputoptimizer.api.result;

import org.jspecify.annotations.NullMarked;

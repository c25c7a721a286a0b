/// From a row of a result to the commands that start it on a serving engine, and to the one that checks it.
@NullMarked
package io.throughputoptimizer.launch;

import org.jspecify.annotations.NullMarked;

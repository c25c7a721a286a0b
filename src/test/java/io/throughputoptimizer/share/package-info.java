@NullMarked
package io.throughputoptimizer.share;

import org.jspecify.annotations.NullMarked;

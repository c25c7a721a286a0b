@NullMarked
package io.throughputoptimizer.quota;

import org.jspecify.annotations.NullMarked;

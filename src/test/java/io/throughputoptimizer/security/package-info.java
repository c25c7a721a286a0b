@NullMarked
package io.throughputoptimizer.security;

import org.jspecify.annotations.NullMarked;

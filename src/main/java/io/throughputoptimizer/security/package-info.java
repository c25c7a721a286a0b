/// Authentication and authorization: keys, tokens, and the security filters.
@NullMarked
package io.throughputoptimizer.security;

import org.jspecify.annotations.NullMarked;

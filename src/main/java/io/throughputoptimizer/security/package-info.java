/// Who calls, and what that caller may do: keys, tokens, and the filters that ask for them.
@NullMarked
package io.throughputoptimizer.security;

import org.jspecify.annotations.NullMarked;

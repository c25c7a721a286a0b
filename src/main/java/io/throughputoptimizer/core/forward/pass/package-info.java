/// A pass as it is written down: operators in order, what repeats written once, and the memory they need.
@NullMarked
package io.throughputoptimizer.core.forward.pass;

import org.jspecify.annotations.NullMarked;

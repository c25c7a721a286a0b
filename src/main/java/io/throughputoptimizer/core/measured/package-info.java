/// What to run on measured devices: layouts ranked by the steady law, each figure with how far it can be trusted.
@NullMarked
package io.throughputoptimizer.core.measured;

import org.jspecify.annotations.NullMarked;

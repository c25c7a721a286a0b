/// The service: its start, its beans and its settings.
@NullMarked
package io.throughputoptimizer;

import org.jspecify.annotations.NullMarked;

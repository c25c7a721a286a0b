/// One forward pass: its latency and its memory, by a plan that is priced for many shapes. The rooms below hold how a
/// pass is written down.
@NullMarked
package io.throughputoptimizer.core.forward;

import org.jspecify.annotations.NullMarked;

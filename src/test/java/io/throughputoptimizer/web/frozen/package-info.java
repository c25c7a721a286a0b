/// Answers as they were: questions of every kind, and the digests of what they were answered with.
@NullMarked
package io.throughputoptimizer.web.frozen;

import org.jspecify.annotations.NullMarked;

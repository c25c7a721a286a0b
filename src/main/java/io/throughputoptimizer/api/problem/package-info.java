/// What is wrong with a request or went wrong with a job, in words.
@NullMarked
package io.throughputoptimizer.api.problem;

import org.jspecify.annotations.NullMarked;

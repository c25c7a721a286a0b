/// Parameters of autoscalers for capacity plans.
@NullMarked
package io.throughputoptimizer.api.autoscaling;

import org.jspecify.annotations.NullMarked;

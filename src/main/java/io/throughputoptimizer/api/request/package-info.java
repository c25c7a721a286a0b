/// What comes in: requests, their validation, and what they ask for in terms of `core`.
@NullMarked
package io.throughputoptimizer.api.request;

import org.jspecify.annotations.NullMarked;

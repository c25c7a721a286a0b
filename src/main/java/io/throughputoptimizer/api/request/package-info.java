/// Requests: fields, validation and their meaning in terms of `core`.
@NullMarked
package io.throughputoptimizer.api.request;

import org.jspecify.annotations.NullMarked;

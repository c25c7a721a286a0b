/// Responses: results of searches and estimates and entries of the catalogue, as sent and stored.
@NullMarked
package io.throughputoptimizer.api.result;

import org.jspecify.annotations.NullMarked;

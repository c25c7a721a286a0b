/// The wire: how documents of the HTTP API are written and read, whatever they say. Names and units are those callers
/// see: times in ms, sizes in GB of 2^30 bytes.
@NullMarked
package io.throughputoptimizer.api;

import org.jspecify.annotations.NullMarked;

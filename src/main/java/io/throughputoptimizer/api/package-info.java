/// The wire: request and response records of the HTTP API, their validation, and their mapping to and from
/// `core`. Names and units are those callers see: times in ms, sizes in GB of 2^30 bytes.
@NullMarked
package io.throughputoptimizer.api;

import org.jspecify.annotations.NullMarked;

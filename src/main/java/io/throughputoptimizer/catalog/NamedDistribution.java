package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.workload.LengthDistribution;

/// A length distribution of the catalog with its name.
record NamedDistribution(String name, LengthDistribution distribution) {}

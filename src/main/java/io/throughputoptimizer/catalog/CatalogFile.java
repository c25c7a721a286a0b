package io.throughputoptimizer.catalog;

/// A file of the catalogue.
///
/// @param location where it lies, for messages
/// @param name file name without folder and extension
record CatalogFile(String location, String name, String content) {}

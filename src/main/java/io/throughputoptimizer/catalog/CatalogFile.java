package io.throughputoptimizer.catalog;

/// A file of the catalog.
///
/// @param location path, for messages
/// @param name file name without folder and extension
record CatalogFile(String location, String name, String content) {}

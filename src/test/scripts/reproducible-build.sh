#!/usr/bin/env bash
# Packages what is committed twice, in two folders, and compares the jars byte by byte. Run it from the repository's root.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for build in first second; do
  mkdir "$work/$build"
  git archive HEAD | tar -x -C "$work/$build"
  (cd "$work/$build" && ./mvnw -B -q -Dmaven.test.skip=true package)
  cp "$work/$build"/target/throughput-optimizer-*.jar "$work/$build.jar"
done
sha256sum "$work"/*.jar | sed "s#$work/##"
cmp "$work/first.jar" "$work/second.jar"
echo "PASSED: both have the same bytes"

package io.throughputoptimizer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Test of write access to folders.
final class WritableFolder {
    private WritableFolder() {}

    /// Returns whether the folder is writable, or can be made. Writes a file to find out, because permissions do
    /// not show read-only file systems, and deletes it.
    static boolean isOrCanBe(Path folder) {
        Path there = nearest(folder.toAbsolutePath().normalize());
        if (there == null || !Files.isDirectory(there)) {
            return false;
        }
        try {
            Files.delete(Files.createTempFile(there, ".", ".tmp"));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// The folder, or the next one above it that is there.
    private static @Nullable Path nearest(Path folder) {
        Path there = folder;
        while (there != null && Files.notExists(there)) {
            there = there.getParent();
        }
        return there;
    }
}

package io.throughputoptimizer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Whether something can be kept in a folder.
final class WritableFolder {
    private WritableFolder() {}

    /// Whether the folder can be written, or can be made and then written. It is tried, since permissions do
    /// not tell of file systems that nobody can write; nothing is left behind.
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

package io.throughputoptimizer.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds the files of one kind: built-in files, and those of a user's folder.
///
/// @param kind kind of entries, also the folder of the built-in files
/// @param extensions accepted file name extensions, with the dot
record CatalogFiles(String kind, List<String> extensions) {
    static final CatalogFiles DEVICES = new CatalogFiles("devices", List.of(".yaml", ".yml"));
    static final CatalogFiles MODELS = new CatalogFiles("models", List.of(".json"));
    static final CatalogFiles LENGTH_DISTRIBUTIONS =
            new CatalogFiles("length-distributions", List.of(".yaml", ".yml", ".json"));

    static final CatalogFiles ENGINES = new CatalogFiles("engines", List.of(".yaml"));

    static final CatalogFiles LAUNCH = new CatalogFiles("launch", List.of(".yaml"));

    private static final String INDEX = "index.txt";

    /// Returns the built-in files in the order of their index, which is needed because resources of a packaged
    /// service cannot be listed reliably.
    List<CatalogFile> builtIn() {
        return resource(INDEX).lines().map(this::builtIn).toList();
    }

    private CatalogFile builtIn(String fileName) {
        return new CatalogFile(resourcePath(fileName), baseName(resourcePath(fileName), fileName), resource(fileName));
    }

    /// Returns the files of a user's folder by file name. Hidden files are ignored; a file with another
    /// extension is an error.
    List<CatalogFile> in(Path folder) {
        List<CatalogFile> files = new ArrayList<>();
        for (Path path : sortedEntries(folder)) {
            String fileName = String.valueOf(path.getFileName());
            if (!fileName.startsWith(".")) {
                files.add(new CatalogFile(path.toString(), baseName(path.toString(), fileName), text(path)));
            }
        }
        return files;
    }

    private List<Path> sortedEntries(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new CatalogException(folder.toString(), "must be a folder of " + kind);
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new CatalogException(folder.toString(), "cannot be listed: " + e);
        }
    }

    private String baseName(String location, String fileName) {
        return extensions.stream()
                .filter(fileName::endsWith)
                .map(extension -> fileName.substring(0, fileName.length() - extension.length()))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElseThrow(() -> new CatalogException(
                        location,
                        "must be a file of " + kind + ", with a name that ends in " + String.join(" or ", extensions)));
    }

    private String resource(String fileName) {
        String path = resourcePath(fileName);
        try (InputStream stream = CatalogFiles.class.getResourceAsStream("/" + path)) {
            if (stream == null) {
                throw new CatalogException(path, "is missing from the service");
            }
            return decoded(path, stream.readAllBytes());
        } catch (IOException e) {
            throw new CatalogException(path, "cannot be read: " + e);
        }
    }

    private String resourcePath(String fileName) {
        return "catalog/" + kind + "/" + fileName;
    }

    private static String text(Path path) {
        try {
            return decoded(path.toString(), Files.readAllBytes(path));
        } catch (IOException e) {
            throw new CatalogException(path.toString(), "cannot be read: " + e);
        }
    }

    private static String decoded(String location, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CatalogException(location, "must be UTF-8 text");
        }
    }
}

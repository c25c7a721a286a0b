package io.throughputoptimizer.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.core.io.Resource;
import org.springframework.util.DigestUtils;

/// `ETag`s of files by what they hold: files of a jar all carry the time of its sources, whatever changed. The tags are
/// weak, since Tomcat compresses nothing that has a strong one.
final class ContentTags implements Function<Resource, String> {
    /// Each file that the service has is read once, and again when it was written anew.
    private final Map<String, Tagged> known = new ConcurrentHashMap<>();

    private record Tagged(long modified, String tag) {}

    @Override
    public String apply(Resource file) {
        try {
            long modified = file.lastModified();
            return known.compute(
                            file.getURL().toString(),
                            (_, before) -> before != null && before.modified == modified
                                    ? before
                                    : new Tagged(modified, tagOf(file)))
                    .tag;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tagOf(Resource file) {
        try (InputStream content = file.getInputStream()) {
            return "W/\"" + DigestUtils.md5DigestAsHex(content) + "\"";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

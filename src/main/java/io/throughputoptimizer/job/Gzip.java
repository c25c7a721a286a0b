package io.throughputoptimizer.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// Text as it is stored: UTF-8, compressed.
final class Gzip {
    private Gzip() {}

    static byte[] compress(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer gzip = new OutputStreamWriter(new GZIPOutputStream(bytes), StandardCharsets.UTF_8)) {
            gzip.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static String decompress(InputStream bytes) {
        try (GZIPInputStream gzip = new GZIPInputStream(bytes)) {
            return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.throughputoptimizer.job;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/// Compression of stored text (UTF-8). Decompression is limited, since a few kilobytes can expand to gigabytes.
public final class Gzip {
    /// Maximum length of a text in bytes: an eighth of the heap, because reading holds two or three copies.
    static final int LONGEST =
            (int) Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / 8);

    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private Gzip() {}

    public static byte[] compress(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 4);
        try (OutputStream gzip = new Fastest(bytes)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// Compression at the fastest level. The default level takes two to four times as long for a tenth less.
    private static final class Fastest extends GZIPOutputStream {
        Fastest(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /// Returns whether a text is too long to be read back.
    ///
    /// @param longest maximum length in bytes
    static boolean isTooLong(String text, int longest) {
        return text.length() > longest
                || (text.length() > longest / MOST_BYTES_OF_A_CHAR
                        && text.codePoints().mapToLong(Gzip::bytes).sum() > longest);
    }

    /// Returns the number of bytes of a character in UTF-8.
    private static int bytes(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        return codePoint < 0x800 ? 2 : Character.charCount(codePoint) + 2;
    }

    /// @throws StoredTextException if the bytes are not compressed text or exceed [#LONGEST]
    public static String decompress(InputStream bytes) {
        return decompress(bytes, LONGEST);
    }

    /// @param longest maximum length in bytes
    /// @throws StoredTextException if the bytes are not compressed text or are too long
    static String decompress(InputStream bytes, int longest) {
        try (GZIPInputStream gzip = new GZIPInputStream(bytes)) {
            byte[] text = gzip.readNBytes(longest);
            if (gzip.read() >= 0) {
                throw new StoredTextException(
                        "it is longer than " + longest + " bytes, the longest text that this process reads");
            }
            return new String(text, StandardCharsets.UTF_8);
        } catch (ZipException | EOFException e) {
            throw new StoredTextException("it is damaged", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

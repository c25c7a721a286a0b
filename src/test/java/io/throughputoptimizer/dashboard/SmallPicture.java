package io.throughputoptimizer.dashboard;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/// Pictures in small files: a page, most of which is text on plain ground, needs no more than 256 colours.
final class SmallPicture {
    private static final int COLOURS = 256;
    private static final int BITS = 8;

    /// Square of a distance that is hardly seen.
    private static final int ALIKE = 30;

    private SmallPicture() {}

    /// Writes a screenshot with its most frequent colours; all others become the nearest of them.
    static void write(byte[] screenshot, Path file) throws IOException {
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(screenshot));
        int[] pixels = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        int[] palette = palette(pixels);
        IndexColorModel colours =
                new IndexColorModel(BITS, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
        BufferedImage indexed =
                new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, colours);
        Map<Integer, Integer> nearest = new HashMap<>();
        int[] indices = Arrays.stream(pixels)
                .map(pixel -> nearest.computeIfAbsent(pixel, colour -> nearest(palette, colour)))
                .toArray();
        indexed.getRaster().setPixels(0, 0, picture.getWidth(), picture.getHeight(), indices);
        writeCompressed(indexed, file);
    }

    /// The most frequent colours first, leaving out what looks like one that is there already: else the many shades
    /// at the edges of letters would crowd out a rare colour.
    private static int[] palette(int[] pixels) {
        Map<Integer, Long> counts =
                Arrays.stream(pixels).boxed().collect(Collectors.groupingBy(colour -> colour, Collectors.counting()));
        List<Integer> byFrequency = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
        List<Integer> chosen = new ArrayList<>();
        for (int colour : byFrequency) {
            if (chosen.size() < COLOURS && chosen.stream().allMatch(other -> distance(other, colour) > ALIKE)) {
                chosen.add(colour);
            }
        }
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int nearest(int[] palette, int colour) {
        int best = 0;
        for (int i = 1; i < palette.length; i++) {
            if (distance(palette[i], colour) < distance(palette[best], colour)) {
                best = i;
            }
        }
        return best;
    }

    private static int distance(int left, int right) {
        int sum = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            int difference = (left >> shift & 0xff) - (right >> shift & 0xff);
            sum += difference * difference;
        }
        return sum;
    }

    private static void writeCompressed(BufferedImage picture, Path file) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam strongly = writer.getDefaultWriteParam();
        strongly.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        strongly.setCompressionQuality(0);
        Files.deleteIfExists(file);
        try (ImageOutputStream output = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(output);
            writer.write(null, new IIOImage(picture, null, null), strongly);
        } finally {
            writer.dispose();
        }
    }
}

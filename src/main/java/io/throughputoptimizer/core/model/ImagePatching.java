package io.throughputoptimizer.core.model;

/// How an image is resized and cut into patches, and how many tokens it becomes.
///
/// Height and width are rounded to multiples of `F = patchSize * mergeSize`, then scaled as a whole if the image has
/// too many pixels or too few. Each patch covers `patchSize` squared pixels; `mergeSize` squared patches become one
/// token, and a token before and one after mark the image.
///
/// @param channels colours of a pixel
/// @param frames frames that a patch covers; an image is repeated to fill them
/// @param patchSize edge of a patch in pixels
/// @param mergeSize edge of a token in patches
/// @param minPixels smaller images are enlarged
/// @param maxPixels larger images are reduced
public record ImagePatching(int channels, int frames, int patchSize, int mergeSize, long minPixels, long maxPixels) {
    public static final int MAX_PLANES = 100;
    public static final int MAX_EDGE = 1_000;

    /// Limits of a model whose folder names none.
    public static final long DEFAULT_MIN_PIXELS = 65_536;

    public static final long DEFAULT_MAX_PIXELS = 16_777_216;

    private static final int MARKING_TOKENS = 2;

    public ImagePatching {
        ModelArchitecture.requireSize("channels", channels, MAX_PLANES);
        ModelArchitecture.requireSize("frames", frames, MAX_PLANES);
        ModelArchitecture.requireSize("patch size", patchSize, MAX_EDGE);
        ModelArchitecture.requireSize("merge size", mergeSize, MAX_EDGE);
        if (minPixels < 1 || maxPixels < minPixels) {
            throw new IllegalArgumentException("min pixels is " + minPixels + " and max pixels " + maxPixels
                    + ": the first must be positive, the second at least the first");
        }
    }

    /// Patches of one image, as they lie in it.
    public record Grid(long rows, long columns) {
        /// Patches of the image, `P`.
        public long patches() {
            return rows * columns;
        }
    }

    /// Patches of an image of that size in pixels.
    ///
    /// Rounding to the nearest multiple takes the even one when two are equally near.
    public Grid grid(int height, int width) {
        int factor = patchSize * mergeSize;
        double rows = Math.rint((double) height / factor);
        double columns = Math.rint((double) width / factor);
        double pixels = Math.max(rows, 1) * factor * Math.max(columns, 1) * factor;
        if (pixels > maxPixels) {
            double reduction = Math.sqrt((double) height * width / maxPixels);
            rows = Math.floor(height / reduction / factor);
            columns = Math.floor(width / reduction / factor);
        } else if (pixels < minPixels) {
            double enlargement = Math.sqrt(minPixels / ((double) height * width));
            rows = Math.ceil(height * enlargement / factor);
            columns = Math.ceil(width * enlargement / factor);
        }
        return new Grid((long) (Math.max(rows, 1) * mergeSize), (long) (Math.max(columns, 1) * mergeSize));
    }

    /// Tokens of one image in the text: `P / mergeSize^2 + 2`.
    public long tokens(Grid grid) {
        return grid.patches() / patchesPerToken() + MARKING_TOKENS;
    }

    /// Patches that become one token.
    public int patchesPerToken() {
        return mergeSize * mergeSize;
    }

    /// Numbers that make up a patch.
    public long patchWidth() {
        return (long) channels * frames * patchSize * patchSize;
    }
}

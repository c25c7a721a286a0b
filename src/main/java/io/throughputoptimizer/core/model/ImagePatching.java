package io.throughputoptimizer.core.model;

/// Preprocessing of images: resizing, patches, and the resulting number of tokens.
///
/// Height and width are rounded to multiples of `F = patchSize * mergeSize`; the image is then scaled if its
/// pixel count is out of range. Each patch covers `patchSize` squared pixels; `mergeSize` squared patches
/// become one token. One token before and one after delimit the image.
///
/// @param channels color channels per pixel
/// @param frames frames per patch; an image is repeated to fill them
/// @param patchSize patch edge in pixels
/// @param mergeSize token edge in patches
/// @param minPixels pixel count below which images are enlarged
/// @param maxPixels pixel count above which images are reduced
public record ImagePatching(int channels, int frames, int patchSize, int mergeSize, long minPixels, long maxPixels) {
    public static final int MAX_PLANES = 100;
    public static final int MAX_EDGE = 1_000;

    /// Default limits of a model without its own.
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

    /// Patch grid of one image.
    public record Grid(long rows, long columns) {
        /// Returns the patches of the image, `P`.
        public long patches() {
            return rows * columns;
        }
    }

    /// Returns the patch grid of an image with the given size in pixels.
    ///
    /// Ties are rounded to the even multiple.
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

    /// Returns the tokens of one image in the text, `P / mergeSize^2 + 2`.
    public long tokens(Grid grid) {
        return grid.patches() / patchesPerToken() + MARKING_TOKENS;
    }

    /// Returns the patches per token.
    public int patchesPerToken() {
        return mergeSize * mergeSize;
    }

    /// Returns the numbers per patch.
    public long patchWidth() {
        return (long) channels * frames * patchSize * patchSize;
    }
}

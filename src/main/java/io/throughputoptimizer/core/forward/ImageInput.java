package io.throughputoptimizer.core.forward;

/// Images that each request of a pass carries.
///
/// @param batchSize images per request
/// @param height in pixels
/// @param width in pixels
public record ImageInput(int batchSize, int height, int width) {
    public ImageInput {
        if (batchSize <= 0 || height <= 0 || width <= 0) {
            throw new IllegalArgumentException("image batch size " + batchSize + ", height " + height + ", width "
                    + width + ": each must be a positive whole number");
        }
    }
}

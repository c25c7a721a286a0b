package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.VisionSpec;

/// Images that each request of a pass carries.
///
/// @param batchSize images per request
/// @param height height in pixels
/// @param width width in pixels
public record ImageInput(int batchSize, int height, int width) {
    public ImageInput {
        if (batchSize <= 0 || height <= 0 || width <= 0) {
            throw new IllegalArgumentException("image batch size " + batchSize + ", height " + height + ", width "
                    + width + ": each must be a positive whole number");
        }
    }

    /// Tokens that the images of a request become; 0 for a model that reads text only.
    public double tokens(ModelArchitecture model) {
        VisionSpec vision = model.vision();
        return vision == null
                ? 0
                : (double) batchSize
                        * vision.patching().tokens(vision.patching().grid(height, width));
    }
}

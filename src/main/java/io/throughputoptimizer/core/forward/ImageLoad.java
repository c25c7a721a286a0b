package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.VisionSpec;
import org.jspecify.annotations.Nullable;

/// Images of one data parallel rank, all of one size.
///
/// @param grid patches of an image
/// @param images of all requests together
/// @param tokensPerRequest tokens that the images of a request become
record ImageLoad(ImagePatching.Grid grid, long images, long tokensPerRequest) {

    /// Images of `requests` requests; absent without any, and for a model that reads text only: it ignores them.
    static @Nullable ImageLoad of(@Nullable ImageInput input, @Nullable VisionSpec vision, long requests) {
        if (input == null || vision == null) {
            return null;
        }
        ImagePatching.Grid grid = vision.patching().grid(input.height(), input.width());
        return new ImageLoad(
                grid,
                input.batchSize() * requests,
                input.batchSize() * vision.patching().tokens(grid));
    }

    /// A text request with the tokens of its images: prefill computes them, decode finds them in its context.
    Request extended(Request text) {
        long query = text.queryLength() + (text.decode() ? 0 : tokensPerRequest);
        return new Request(query, text.sequenceLength() + tokensPerRequest, text.decode());
    }

    /// Patches of all images, `N`.
    long patches() {
        return images * grid.patches();
    }
}

package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.workload.Workload;
import org.jspecify.annotations.Nullable;

/// Images that the requests of a pass carry.
final class RequestImages {
    private RequestImages() {}

    /// Images of each request, absent for text only. A workload that names no number of images has as many per
    /// request as the batch size, however the requests are divided into waves.
    static @Nullable ImageInput of(Workload workload, Load load) {
        Workload.Images images = workload.images();
        return images == null
                ? null
                : new ImageInput(images.perRequest(load.batchSize()), images.height(), images.width());
    }
}

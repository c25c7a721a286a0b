package io.throughputoptimizer.core.model.stored;

/// Budget of comparisons between the module names of a configuration and the layers of a model, over all its
/// lists: each can have thousands of names, and a model thousands of layers. Not thread-safe.
final class ModuleComparison {
    private static final int MOST_PATHS = 1_000_000;
    private static final int MOST_LOOKS = 20_000_000;

    private int paths;
    private int looks;

    /// Counts a comparison of a path with a list of names.
    ///
    /// @throws IllegalArgumentException if the budget is exceeded
    void compared() {
        paths++;
        require(paths <= MOST_PATHS);
    }

    /// Counts a character read by an expression.
    ///
    /// @throws IllegalArgumentException if the budget is exceeded
    void looked() {
        looks++;
        require(looks <= MOST_LOOKS);
    }

    private static void require(boolean few) {
        if (!few) {
            throw new IllegalArgumentException("it names too many modules to compare them");
        }
    }
}

package io.throughputoptimizer.core.model.stored;

/// How much is compared to tell which modules a configuration names, in all its lists together: each may have thousands
/// of names, and a model thousands of layers. Used by one thread.
final class ModuleComparison {
    private static final int MOST_PATHS = 1_000_000;
    private static final int MOST_LOOKS = 20_000_000;

    private int paths;
    private int looks;

    /// A path is about to be compared with a list of names.
    ///
    /// @throws IllegalArgumentException if there were very many
    void compared() {
        paths++;
        require(paths <= MOST_PATHS);
    }

    /// An expression is about to look at a character of a path.
    ///
    /// @throws IllegalArgumentException if there were very many
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

package io.throughputoptimizer.core.silicon;

/// What a request keeps in the memory of a rank: a part that grows with its tokens, within a window
/// only, or not at all.
///
/// @param perToken bytes of each token
/// @param constant bytes of a request, such as a recurrent state
/// @param perWindowToken bytes of each of the most recent tokens
/// @param window how many of these are kept
public record RequestBytes(double perToken, double constant, double perWindowToken, double window) {
    /// Of tokens alone.
    static RequestBytes ofTokens(double perToken) {
        return new RequestBytes(perToken, 0, 0, 0);
    }

    /// Bytes of a request of that many tokens.
    public double of(double tokens) {
        return perToken * tokens + constant + perWindowToken * Math.min(tokens, window);
    }

    /// Bytes of a request whatever its length is, once it is longer than the window.
    public double fixed() {
        return constant + perWindowToken * window;
    }

    /// Whether a request takes as much as its tokens, each as much as any other.
    public boolean isOfTokensAlone() {
        return fixed() == 0;
    }

    /// What is kept in other layers too, whose window is no other.
    RequestBytes plus(RequestBytes other) {
        return new RequestBytes(
                perToken + other.perToken,
                constant + other.constant,
                perWindowToken + other.perWindowToken,
                Math.max(window, other.window));
    }
}

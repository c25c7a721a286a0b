package io.throughputoptimizer.core.kernels;

/// Memory of a request on a rank: a part that grows with its tokens, a part that grows within a window only,
/// and a constant part.
///
/// @param perToken bytes of each token
/// @param constant bytes of a request, such as a recurrent state
/// @param perWindowToken bytes of each token in the window
/// @param window tokens in the window
public record RequestBytes(double perToken, double constant, double perWindowToken, double window) {
    /// Returns the bytes of a request that caches tokens only.
    static RequestBytes ofTokens(double perToken) {
        return new RequestBytes(perToken, 0, 0, 0);
    }

    /// Returns the bytes of a request of `tokens` tokens.
    public double of(double tokens) {
        return perToken * tokens + constant + perWindowToken * Math.min(tokens, window);
    }

    /// Returns the bytes of a request that do not depend on its length beyond the window.
    public double fixed() {
        return constant + perWindowToken * window;
    }

    /// Returns whether the bytes are proportional to the tokens.
    public boolean isOfTokensAlone() {
        return fixed() == 0;
    }

    /// Returns the sum with other layers, which must not have another window.
    RequestBytes plus(RequestBytes other) {
        return new RequestBytes(
                perToken + other.perToken,
                constant + other.constant,
                perWindowToken + other.perWindowToken,
                Math.max(window, other.window));
    }
}

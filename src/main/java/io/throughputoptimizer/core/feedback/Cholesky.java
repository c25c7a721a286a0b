package io.throughputoptimizer.core.feedback;

/// Cholesky factorization `L L'` of a symmetric positive definite matrix. Systems have at most a hundred
/// unknowns and a variance on each diagonal element, so a linear algebra library is not needed.
final class Cholesky {
    private final double[][] lower;

    Cholesky(double[][] matrix) {
        lower = new double[matrix.length][];
        for (int row = 0; row < matrix.length; row++) {
            lower[row] = new double[row + 1];
            for (int column = 0; column <= row; column++) {
                double left = matrix[row][column] - dot(lower[row], lower[column], column);
                lower[row][column] = column == row ? Math.sqrt(left) : left / lower[column][column];
            }
        }
    }

    /// Returns the solution of `L x = right`: `|x|^2` is `right' M^-1 right`.
    double[] half(double[] right) {
        double[] solution = new double[right.length];
        for (int row = 0; row < right.length; row++) {
            solution[row] = (right[row] - dot(lower[row], solution, row)) / lower[row][row];
        }
        return solution;
    }

    /// Returns the solution of `L L' x = right`.
    double[] solve(double[] right) {
        double[] solution = half(right);
        for (int row = right.length - 1; row >= 0; row--) {
            solution[row] /= lower[row][row];
            for (int above = 0; above < row; above++) {
                solution[above] -= lower[row][above] * solution[row];
            }
        }
        return solution;
    }

    static double dot(double[] one, double[] other, int terms) {
        double sum = 0;
        for (int term = 0; term < terms; term++) {
            sum += one[term] * other[term];
        }
        return sum;
    }
}

package io.throughputoptimizer.core.kernels;

import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/// A published curve of the mean tokens that a step yields by the number of drafts: accepted drafts and the
/// token after them. Measured with vLLM on B300 over SPEED-Bench's category coding; `golden_al_distribution` of
/// github.com/SemiAnalysisAI/InferenceX 843c6254 (2026-08-21).
///
/// @param name model, method of drafting, and whether the model thinks
/// @param yields tokens per step with one draft, two, and so on
public record AcceptanceCurve(String name, List<Double> yields) {
    /// Maximum number of drafts of a curve.
    public static final int MOST_DRAFTS = 8;

    private static final List<AcceptanceCurve> ALL = List.of(
            of("deepseek-v4-pro/mtp/thinking", 1.79, 2.27, 2.49, 2.54, 2.55, 2.55, 2.54, 2.58),
            of("deepseek-v4-pro/mtp/plain", 1.92, 2.61, 2.97, 3.0, 3.1, 3.16, 3.0, 3.11),
            of("deepseek-v4-pro-0813/dspark/thinking", 1.84, 2.51, 3.01, 3.36, 3.61, 3.77, 3.73, 3.47),
            of("glm-5.2-fp8/mtp/thinking", 1.84, 2.5, 2.99, 3.33, 3.61, 3.78, 3.91, 4.06),
            of("kimi-k2.5-nvfp4/eagle3/thinking", 1.83, 2.43, 2.88, 3.24, 3.46, 3.62, 3.71, 3.77),
            of("kimi-k2.5-nvfp4/eagle3/plain", 1.8, 2.33, 2.75, 3.06, 3.25, 3.43, 3.46, 3.51),
            of("kimi-k3/dspark/thinking", 1.84, 2.45, 2.87, 3.22, 3.44, 3.54, 3.78, 3.88),
            of("minimax-m3/eagle3/thinking", 1.78, 2.38, 2.83, 3.11, 3.35, 3.45, 3.53, 3.74),
            of("minimax-m3/eagle3/plain", 1.84, 2.52, 2.93, 3.41, 3.59, 3.57, 3.85, 4.06),
            of("minimax-m3/eagle3-gqa/thinking", 1.79, 2.39, 2.78, 3.02, 3.21, 3.3, 3.52, 3.51),
            of("minimax-m3/eagle3-gqa/plain", 1.83, 2.46, 2.97, 3.29, 3.72, 3.76, 3.75, 3.93),
            of("qwen3.5-397b-a17b-nvfp4/mtp/thinking", 1.93, 2.73, 3.39, 3.97, 4.41, 4.8, 5.04, 5.21),
            of("qwen3.5-397b-a17b-nvfp4/mtp/plain", 1.92, 2.7, 3.33, 3.83, 4.2, 4.48, 4.73, 4.71));

    public AcceptanceCurve {
        yields = List.copyOf(yields);
    }

    private static AcceptanceCurve of(String name, double... yields) {
        return new AcceptanceCurve(name, DoubleStream.of(yields).boxed().toList());
    }

    public static List<String> names() {
        return ALL.stream().map(AcceptanceCurve::name).toList();
    }

    public static Optional<AcceptanceCurve> named(String name) {
        return ALL.stream().filter(curve -> curve.name.equals(name)).findFirst();
    }

    /// Returns the mean tokens that a step yields.
    ///
    /// @param drafts number of drafts, from 1 to [#MOST_DRAFTS]
    public double accepted(int drafts) {
        return yields.get(drafts - 1);
    }
}

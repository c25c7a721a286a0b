package io.throughputoptimizer.core.feedback;

/// Parameters by which servers differ from the calibrated model, with their standard deviations. All are 0 in
/// the model.
///
///     D    = max(e^d (D_o + e^k D_k + e^e D_e) + g + s b / 1000, 0.2 (D_o + D_k + D_e))
///     P    = e^p (P_o + e^k P_k + P_e)
///     c    -> c e^c, ln TTFT + q
///
/// with `D` and `P` the duration of a decode step and of a prompt in milliseconds, `_k` the part of
/// collectives, `_e` of routed experts, `_o` the rest, `b` the running requests per rank, and `c` the front
/// end.
public enum Parameter {
    /// `d`, logarithm of the factor of decode steps.
    DECODE(0.048),
    /// `p`, logarithm of the factor of prompts.
    PREFILL(0.2595),
    /// `g`, host time per step in milliseconds.
    STEP_GAP(1.1489),
    /// `s`, host time per step and running request in microseconds.
    PER_REQUEST(6.7943),
    /// `k`, logarithm of the factor of collectives in both phases.
    COLLECTIVES(0.4226),
    /// `e`, logarithm of the factor of routed experts in decode.
    EXPERTS(0.0783),
    /// `c`, logarithm of the factor of the front end.
    FRONTEND(0.5872),
    /// `q`, logarithm of the factor of TTFT.
    TTFT(0.2101);

    private final double deviation;

    Parameter(double deviation) {
        this.deviation = deviation;
    }

    /// Returns the standard deviation over the measured servers.
    public double deviation() {
        return deviation;
    }
}

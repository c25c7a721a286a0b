package io.throughputoptimizer.core.feedback;

/// What servers differ in from the calibrated model, and by how much they usually do. All are 0 in the model.
///
///     D    = max(e^d (D_o + e^k D_k + e^e D_e) + g + s b / 1000, 0.2 (D_o + D_k + D_e))
///     P    = e^p (P_o + e^k P_k + P_e)
///     c    -> c e^c, ln TTFT + q
///
/// with `D`, `P` the milliseconds of a decode step and of a prompt, `_k` and `_e` those of collectives and of routed
/// experts, `_o` of the rest, `b` the requests that run on a rank and `c` the front end.
public enum Parameter {
    /// `d`, of the logarithm of decode steps.
    DECODE(0.048),
    /// `p`, of the logarithm of prompts.
    PREFILL(0.2595),
    /// `g`, milliseconds of the host in each step.
    STEP_GAP(1.1489),
    /// `s`, microseconds of the host in each step for each request that runs.
    PER_REQUEST(6.7943),
    /// `k`, of the logarithm of collectives in both.
    COLLECTIVES(0.4226),
    /// `e`, of the logarithm of routed experts in decode.
    EXPERTS(0.0783),
    /// `c`, of the logarithm of the front end.
    FRONTEND(0.5872),
    /// `q`, of the logarithm of TTFT.
    TTFT(0.2101);

    private final double deviation;

    Parameter(double deviation) {
        this.deviation = deviation;
    }

    /// Standard deviation over the servers that were measured.
    public double deviation() {
        return deviation;
    }
}

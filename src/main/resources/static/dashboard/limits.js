/**
 * The limits of a request with that on TPOT in ms, however it was asked for: the least tokens per second that a user
 * sees are one over it.
 */
export function limitsOf({ slo = {} }) {
  const { tokens_per_s_per_user: speed, ...others } = slo;
  return typeof speed === "number" ? { ...others, tpot_ms: 1000 / speed } : slo;
}

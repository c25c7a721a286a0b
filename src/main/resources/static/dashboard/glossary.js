/** Words of the page and what they mean: tooltips, help and docs/start.md say the same. */
export const GLOSSARY = {
  TTFT: "Time to first token: from a request's arrival to its first token, waiting included.",
  TPOT: "Time per output token: the mean gap between two tokens of an answer.",
  "Tokens/s": "Output tokens per second of all servers together; input tokens where only prompts are processed.",
  "Requests/s": "Requests that begin and end in a second, in a lasting load.",
  TP: "Tensor parallelism: so many devices share each layer.",
  DP: "Data parallelism within a server: so many ranks, each with requests of its own.",
  EP: "Expert parallelism: so many devices share the routed experts.",
  "At once": "Requests that are served at the same time.",
  Batch: "Requests of one data parallel rank.",
  "KV cache": "What a server keeps for each token of the requests that it serves.",
  Binds: "The limit that keeps a plan from more requests.",
  Band: "Where the figure lies for so many of the servers that were measured.",
  "Less certain": "What sets a plan apart from the servers that were measured.",
  Load: "How long a plan was simulated under a real load of requests.",
  "P : D": "Prefill instances to decode instances.",
  Headroom: "What is planned beyond the demand: 0.2 for 20 % more.",
};

/** What a heading means, by the words before its unit: "TTFT (ms)"; null for one that explains itself. */
export function explained(heading) {
  return typeof heading === "string" ? (GLOSSARY[heading.replace(/ \(.*\)$/, "")] ?? null) : null;
}

import { answerOf, bringResultFile, importRequest, ProblemError } from "./api.js";
import { questionOf } from "./commandline.js";
import { announce, byId, element, fill } from "./dom.js";
import { t } from "./language.js";
import { questionInWords } from "./questionwords.js";
import { faults, knownSizes, learnFrom, reasons, takeCommand, takeLog, takeMetrics } from "./running.js";

const DRAGGED_OVER = "over";
const HUB = /^https?:\/\/(?:huggingface\.co|hf\.co|modelscope\.cn(?:\/models)?|www\.modelscope\.cn(?:\/models)?)\/([\w.-]+\/[\w.-]+)\S*$/;
const LOG = /KV cache memory|GPU KV cache size|KV Cache is allocated|non-default args|server_args=|Load weight |Model loading took|engine \(v\d/;
const SERVER = /\bvllm serve\b|vllm\.entrypoints|sglang\.launch_server|\bsglang serve\b/;
const METRICS = /^(?:# (?:HELP|TYPE) )?(?:vllm|sglang|tgi|trtllm|dynamo|llm_d|inference)[_:]/m;
const BENCHMARK = /Serving Benchmark Result|Benchmarking summary|"(?:mean_ttft_ms|mean_tpot_ms|request_throughput|successes|Success Requests|Succeed requests|benchmarks)"/i;
const AISIMULATE = /^engine:[\s\S]*^\s+workers:/m;
const WORDS = /\b(?:ttft|tpot|itl)\b[^\d\n,;]{0,12}\d|\d\s*(?:rps|qps|req(?:uest)?s?\s*\/\s*s)\b|\b\d+\s*[x×]?\s*[a-z]{1,2}\d{2,3}(?:_\w+)?\b/i;
const BODY = /\{[\s\S]*\}/;
const REFERENCE = /throughput_optimizer|^\s*[\w.-]+\/[\w.-]+\s+-/;
const JSON_TRACE = /^\s*[[{][^\n]*(?:token|length|usage|hash_ids)/i;
const TABLE = /^[^,;\t\n]+([,;\t])[^\n]*\n[^,;\t\n]+\1/;
const RESULT_NAME = /\.(?:json|jsonl|ndjson|ya?ml|csv)$/i;
const TRACE_NAME = /\.(?:csv|tsv|jsonl|ndjson|json)(?:\.gz)?$/i;

/** What each kind of text becomes. Each answers a phrase, and more to show below it. */
const TAKERS = {
  nothing: () => ["pastebox.nothing_pasted"],
  unknown: () => ["pastebox.not_recognized"],
  hub: async ({ text }, { asked, apply }) => {
    await apply({ ...asked(), model_id: HUB.exec(text)[1], model_config: undefined, quantization: undefined });
    return ["pastebox.a_model_hub_page"];
  },
  config: async ({ text }, { asked, apply }) => {
    const config = documentIn(text);
    await apply({ ...asked(), model_id: config._name_or_path || undefined, model_config: config, quantization: undefined });
    return ["pastebox.a_model_configuration"];
  },
  request: async ({ text }, { apply }) => {
    await apply(documentIn(text));
    return ["pastebox.a_request"];
  },
  aisimulate: async ({ text }, { apply }) => {
    const [{ request, left_out: leftOut }] = (await importRequest(text)).experiments;
    await apply(request);
    return ["pastebox.an_input_of_aisimulate", reasons(leftOut, "field")];
  },
  command: async ({ text }, { apply }) => {
    const { request, leftOut } = questionOf(text);
    if (request.model_id === undefined) {
      return ["commandbox.command_line_must_start"];
    }
    await apply(request);
    return ["pastebox.a_command_of_msmodeling", reasons(leftOut, "flag")];
  },
  words: async ({ text }, { asked, apply, known }) => {
    const said = questionInWords(text, known());
    const { mode, demand, headroom, instance_sizes, pd_ratio, ...kept } = asked();
    const ofMode = said.mode ? {} : { mode, demand, headroom, instance_sizes, pd_ratio };
    const within = (member) => ({ [member]: { ...kept[member], ...said[member] } });
    const ofModel = said.model_id ? { model_config: undefined, quantization: said.quantization } : {};
    await apply({ ...kept, ...ofMode, ...said, ...ofModel, ...within("workload"), ...within("slo"), ...within("engine") });
    return ["pastebox.a_request_in_words"];
  },
  server: takeCommand,
  metrics: takeMetrics,
  log: takeLog,
  benchmark: takeBenchmark,
  trace: async ({ text, file }, { readTrace }) => {
    const ending = /^\s*\[/.test(text) ? ".json" : /^\s*\{/.test(text) ? ".jsonl" : ".csv";
    await readTrace(TRACE_NAME.test(file?.name) ? file : new File([text], (file?.name ?? "trace") + ending));
    return ["pastebox.a_trace"];
  },
};

/**
 * Takes whatever somebody has into the question, pasted or as files, and says what it was. A command and metrics of one server are
 * compared with the best plan.
 *
 * @param {{asked: function, apply: function, readTrace: function, known: function, weights: function}} form returns its question, takes one, takes the file of a trace,
 *     returns the names that a text can use, returns the weight format
 */
export function connectPasteBox(form) {
  const box = byId("paste");
  const zone = byId("paste-drop");
  const chooser = byId("paste-files");
  const take = async (pieces) => {
    const remarks = [];
    for (const piece of merged(pieces)) {
      remarks.push(await taken(piece, form));
    }
    fill(byId("paste-remark"), remarks.map(([key, ...more]) => element("div", {}, element("p", {}, t(key)), ...more)));
    announce(remarks.map(([key]) => t(key)).join(" "));
  };
  const pasted = () => take([{ text: box.value }]);
  const dropped = async (files) => {
    const pieces = await Promise.all([...files].map(pieceOf));
    box.value = pieces.length === 1 && pieces[0].text.length < 100_000 ? pieces[0].text : "";
    chooser.value = "";
    await take(pieces);
  };
  byId("paste-take").addEventListener("click", pasted);
  box.addEventListener("paste", () => setTimeout(pasted));
  document.addEventListener("paste", ({ target, clipboardData }) => {
    if (!byId("plan-view").hidden && !target.closest("input, textarea")) {
      box.closest("details").open = true;
      box.value = clipboardData.getData("text");
      pasted();
    }
  });
  chooser.addEventListener("change", () => dropped([...chooser.files]));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add(DRAGGED_OVER);
  });
  zone.addEventListener("dragleave", () => zone.classList.remove(DRAGGED_OVER));
  zone.addEventListener("drop", (event) => {
    zone.classList.remove(DRAGGED_OVER);
    if (event.dataTransfer.files.length > 0) {
      event.preventDefault();
      dropped(event.dataTransfer.files);
    }
  });
}

async function pieceOf(file) {
  const stream = /\.gz$/i.test(file.name) ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  return { text: await new Response(stream).text(), file };
}

/** Makes one text of several scrapes, each with the time of its file. */
export function merged(pieces) {
  const scrapes = pieces.filter(({ text }) => kindOf(text) === "metrics" && documentIn(text) === undefined);
  if (scrapes.length < 2) {
    return pieces;
  }
  const timed = scrapes
    .toSorted((one, other) => one.file.lastModified - other.file.lastModified)
    .map(({ text, file }) => (text.includes("# scrape:") ? text : `# scrape: ${file.lastModified / 1000}\n${text}`));
  return [...pieces.filter((piece) => !scrapes.includes(piece)), { text: timed.join("\n") }];
}

/** What a text is: a key of the takers. */
export function kindOf(text) {
  const document = documentIn(text);
  const kinds = {
    nothing: text.trim() === "",
    hub: HUB.test(text.trim()),
    config: document?.model_type || document?.architectures,
    request: document?.model_id || document?.devices || document?.workload,
    benchmark: BENCHMARK.test(text),
    metrics: METRICS.test(text) || (document?.status && (document.data || document.error)),
    log: LOG.test(text),
    server: SERVER.test(text),
    command: REFERENCE.test(text),
    aisimulate: AISIMULATE.test(text) || document?.engine?.workers,
    words: WORDS.test(text),
    trace: JSON_TRACE.test(text) || TABLE.test(text),
    unknown: !text.includes("\n"),
  };
  return Object.keys(kinds).find((kind) => kinds[kind]) ?? "log";
}

/** What a piece becomes, or why it is not usable. */
async function taken(piece, form) {
  const answer = await answerOf(TAKERS[kindOf(piece.text)]({ ...piece, text: piece.text.trim() }, form));
  return answer instanceof ProblemError ? ["pastebox.not_taken", faults(answer)] : answer;
}

/** Stores a result with what the form and the server's command say, and has the plan learn from it. */
async function takeBenchmark({ text, file }, form) {
  const request = form.asked();
  const { backend, version, kv_cache_dtype } = request.engine ?? {};
  const known = { model_id: request.model_id, device: request.devices?.[0], backend, version, kv_cache_dtype, scheme: form.weights()?.scheme, ...knownSizes() };
  const said = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const result = RESULT_NAME.test(file?.name) ? file : new File([text], text.startsWith("{") ? "result.json" : "result.txt");
  return ["pastebox.a_benchmark_result", await learnFrom(await bringResultFile(result, said), form)];
}

/** The JSON object in a text, as in the body of a curl call. */
function documentIn(text) {
  try {
    return JSON.parse(BODY.exec(text)?.[0] ?? "");
  } catch {
    return undefined;
  }
}

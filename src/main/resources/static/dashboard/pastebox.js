import { compareServer, ProblemError, readMetrics, readServerCommand } from "./api.js";
import { questionOf } from "./commandline.js";
import { announce, byId, element, fill } from "./dom.js";
import { t } from "./language.js";

const HUB = /^https?:\/\/(?:huggingface\.co|hf\.co|modelscope\.cn(?:\/models)?|www\.modelscope\.cn(?:\/models)?)\/([\w.-]+\/[\w.-]+)/;
const SERVER = /\bvllm serve\b|vllm\.entrypoints|sglang\.launch_server|\bsglang serve\b/;
const METRICS = /^(?:# (?:HELP|TYPE) )?(?:vllm|sglang|tgi|trtllm|dynamo|llm_d|inference)[_:]/m;
const BODY = /\{[\s\S]*\}/;
const REFERENCE = /throughput_optimizer|^\s*[\w.-]+\/[\w.-]+\s+-/;

/**
 * Takes whatever somebody has into the question, and says what it was: a command line of msmodeling, a page of a model hub, a
 * config.json, a request or the curl call of one, the command line or the metrics of a server, a start-up log. A command and metrics
 * of one server are compared with the best plan.
 *
 * @param {function} asked returns the question of the form
 * @param {function} apply takes a question
 * @param {function} readLog takes the text of a start-up log
 */
export function connectPasteBox(asked, apply, readLog) {
  const box = byId("paste");
  const remark = byId("paste-remark");
  const take = () => {
    const said = (key, ...more) => {
      fill(remark, element("p", {}, t(key)), ...more);
      announce(t(key));
    };
    recognize(box.value.trim(), { asked, apply, readLog, said });
  };
  byId("paste-take").addEventListener("click", take);
  box.addEventListener("paste", () => setTimeout(take));
  box.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (file) {
      event.preventDefault();
      box.value = await file.text();
      take();
    }
  });
}

function recognize(text, { asked, apply, readLog, said }) {
  const [, model] = HUB.exec(text) ?? [];
  const document = documentIn(text);
  if (text === "") {
    said("pastebox.nothing_pasted");
  } else if (model) {
    apply({ ...asked(), model_id: model, model_config: undefined });
    said("pastebox.a_model_hub_page");
  } else if (document?.model_type || document?.architectures) {
    apply({ ...asked(), model_id: document._name_or_path || undefined, model_config: document });
    said("pastebox.a_model_configuration");
  } else if (document?.model_id || document?.devices || document?.workload) {
    apply(document);
    said("pastebox.a_request");
  } else if (SERVER.test(text)) {
    takeServer(text, { asked, apply, said });
  } else if (METRICS.test(text)) {
    takeMetrics(text, { asked, apply, said });
  } else if (REFERENCE.test(text)) {
    takeCommand(text, apply, said);
  } else if (text.includes("\n")) {
    readLog(text);
    said("pastebox.a_startup_log");
  } else {
    said("pastebox.not_recognized");
  }
}

function takeCommand(text, apply, said) {
  const { request, leftOut } = questionOf(text);
  if (request.model_id === undefined) {
    said("commandbox.command_line_must_start");
    return;
  }
  apply(request);
  said(
    "pastebox.a_command_of_msmodeling",
    leftOut.length > 0 && element("ul", {}, leftOut.map(({ flag, reason }) => element("li", {}, element("code", {}, flag), ` ${reason}`))),
  );
}

/** What is known of the running server. */
const running = {};

async function takeServer(text, { asked, apply, said }) {
  const request = asked();
  await told(said, async () => {
    const server = await readServerCommand(text, { device: request.devices?.[0] ?? "", ...(request.model_id ? { model_id: request.model_id } : {}) });
    const { backend, max_num_seqs: _, max_batched_tokens: __, kv_tokens: ___, ...engine } = server.engine;
    running.command = text;
    apply({
      ...request,
      cost_model: "calibrated",
      model_id: server.model_id ?? request.model_id,
      num_devices: server.num_devices,
      engine: { backend, ...engine },
      quantization: server.scheme ? { scheme: server.scheme } : request.quantization,
    });
    said("pastebox.a_server_command", server.ignored.length > 0 && element("ul", {}, server.ignored.map(({ option, reason }) => element("li", {}, element("code", {}, option), ` ${reason}`))), await comparison(asked()));
  });
}

async function takeMetrics(text, { asked, apply, said }) {
  await told(said, async () => {
    running.traffic = await readMetrics(text);
    apply({ ...asked(), workload: running.traffic.workload });
    said("pastebox.metrics_of_a_server", await comparison(asked()));
  });
}

/** The running server beside the best plan, once its command and its metrics are known. */
async function comparison({ devices: [device] }) {
  if (!running.command || !running.traffic) {
    return null;
  }
  const { sentence, warnings } = await compareServer({ running: { command: running.command }, device, traffic: running.traffic });
  return [element("p", {}, element("strong", {}, sentence)), warnings.length > 0 && element("ul", {}, warnings.map((warning) => element("li", {}, warning)))];
}

async function told(said, act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    said("pastebox.not_taken", element("p", { class: "error" }, error.message));
  }
}

/** The JSON object in a text, as in the body of a curl call. */
function documentIn(text) {
  try {
    return JSON.parse(BODY.exec(text)?.[0] ?? "");
  } catch {
    return undefined;
  }
}

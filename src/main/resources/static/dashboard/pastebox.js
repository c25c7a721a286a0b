import { questionOf } from "./commandline.js";
import { announce, byId, element, fill } from "./dom.js";
import { t } from "./language.js";

const HUB = /^https?:\/\/(?:huggingface\.co|hf\.co|modelscope\.cn(?:\/models)?|www\.modelscope\.cn(?:\/models)?)\/([\w.-]+\/[\w.-]+)/;
const BODY = /\{[\s\S]*\}/;
const REFERENCE = /throughput_optimizer|^\s*[\w.-]+\/[\w.-]+\s+-/;

/**
 * Takes whatever somebody has into the question, and says what it was: a command line of msmodeling, a page of a model hub, a
 * config.json, a request or the curl call of one, a start-up log.
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

/** The JSON object in a text, as in the body of a curl call. */
function documentIn(text) {
  try {
    return JSON.parse(BODY.exec(text)?.[0] ?? "");
  } catch {
    return undefined;
  }
}

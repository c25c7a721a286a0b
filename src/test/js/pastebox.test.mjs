import "./page.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { kindOf, merged } from "../../main/resources/static/dashboard/pastebox.js";

const example = (name) => readFileSync(`src/test/resources/examples/${name}`, "utf8");
const SCRAPE = 'vllm:num_requests_running{model_name="m"} 3\n';

test("tells texts apart", () => {
  const texts = {
    nothing: ["", " \n"],
    hub: ["https://huggingface.co/Qwen/Qwen3-8B/tree/main"],
    config: ['{"architectures": ["Qwen3ForCausalLM"], "hidden_size": 4096}'],
    request: [example("silicon.json"), "curl -d '{\"model_id\": \"m\"}' localhost:8080"],
    server: [example("server-command.txt"), "python -m sglang.launch_server --model-path m \\\n  --tp 2"],
    metrics: [example("server-metrics.txt"), example("prometheus-answer.json"), SCRAPE],
    log: [example("engine-log.txt"), "INFO 11-28 13:04:22 [core.py:58] first\nINFO 11-28 13:04:23 [core.py:59] second"],
    command: ["python -m cli.inference.throughput_optimizer Qwen/Qwen3-8B --device A"],
    aisimulate: [example("aisimulate.yaml"), example("aisimulate.json")],
    benchmark: ["> ============ Serving Benchmark Result ============\nSuccessful requests: 30", '{"completed": 10, "mean_ttft_ms": 12.5}'],
    trace: ["input_tokens,output_tokens\n3500,1500\n", "3500;1500\n10;20", '{"timestamp": 0, "input_length": 10, "output_length": 5}\n{"timestamp": 1}', '[{"prompt_tokens": 1}]'],
    unknown: ["hello"],
  };
  Object.entries(texts).forEach(([kind, own]) => own.forEach((text) => assert.equal(kindOf(text), kind, text.slice(0, 60))));
});

test("makes two scrapes of two files, the earlier first", () => {
  const files = [
    { text: SCRAPE, file: { lastModified: 1_900_000 } },
    { text: "vllm serve m", file: { lastModified: 0 } },
    { text: SCRAPE, file: { lastModified: 1_600_500 } },
  ];
  assert.deepEqual(merged(files), [files[1], { text: `# scrape: 1600.5\n${SCRAPE}\n# scrape: 1900\n${SCRAPE}` }]);
  assert.deepEqual(merged(files.slice(0, 2)), files.slice(0, 2));
});

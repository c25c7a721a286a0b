// Speaks with the service through types made by openapi-typescript; prints what it read.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

const client = createClient<paths>({ baseUrl: process.argv[2] });

function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`${what} is missing`);
  }
  return value;
}

async function finished(body: Schemas["OptimizationRequest"]): Promise<Schemas["Job"]> {
  const { data, error } = await client.POST("/api/v1/optimizations", {
    body,
    params: { header: { Prefer: "wait=60" } },
  });
  if (error) {
    throw new Error(error.detail);
  }
  return data;
}

function best(job: Schemas["Job"]): Schemas["Row"] {
  return given(given(job.result, "result").devices[0]?.phases[0]?.best, "best");
}

const device = given(
  (await client.GET("/api/v1/devices/{name}", { params: { path: { name: "TEST_DEVICE" } } })).data,
  "device",
);
const own = await finished({
  model_id: "Qwen/Qwen3-8B",
  devices: ["MY_DEVICE"],
  device_profiles: [{ ...device, name: "MY_DEVICE" }],
  num_devices: 4,
  workload: { input_length: 3500, output_length: 1500 },
  slo: { ttft_ms: "inf", tpot_ms: 50 },
  serving: { compile: true },
});
const row = best(own);
const tokens: number = row.tokens_per_s;
const batch: number = row.batch_size;
const limit: number | "inf" | undefined = own.request.slo?.ttft_ms;
console.log(`best ${tokens} ${batch} ${row.parallel.label}`);
console.log(`limit ${limit}`);

const mixed = best(
  await finished({
    model_id: "Qwen/Qwen3-8B",
    num_devices: { TEST_DEVICE: 4 },
    mode: "disaggregation",
    workload: { length_distribution: { name: "builtin" }, output_length: 500 },
    allow_beyond_context: true,
    slo: { ttft_ms: 4000 },
  }),
);
const all: "all" | undefined = mixed.num_input_tokens;
const parts = given(mixed.composition, "composition").map((part) => `${part.num_input_tokens}:${part.samples}`);
console.log(`mixed ${all} ${parts.join(" ")}`);

const refused = await client.POST("/api/v1/optimizations", {
  body: { model_id: "Qwen/Qwen3-8B", devices: ["TEST_DEVICE"], workload: { input_length: 100, output_length: 100 }, search: { batch_range: [8, 2] } },
});
const problem: Schemas["Problem"] = given(refused.error, "problem");
console.log(`problem ${problem.status} ${given(problem.errors, "errors")[0]?.pointer}`);

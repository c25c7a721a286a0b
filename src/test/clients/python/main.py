"""Speaks with the service through a client made by openapi-generator; prints what it read."""

import sys

from openapi_client import ApiClient, ApiException, CatalogApi, Configuration, OptimizationsApi
from openapi_client.models import (
    Job,
    LengthDistribution,
    Limit,
    OptimizationRequest,
    Problem,
    Row,
    Search,
    Serving,
    Slo,
    Workload,
)

client = ApiClient(Configuration(host=sys.argv[1]))
optimizations = OptimizationsApi(client)


def finished(request: OptimizationRequest) -> Job:
    return optimizations.create_optimization(request, prefer="wait=60")


def best(job: Job) -> Row:
    return job.result.devices[0].phases[0].best


device = CatalogApi(client).get_device("TEST_DEVICE")
device.name = "MY_DEVICE"
own = finished(
    OptimizationRequest(
        model_id="Qwen/Qwen3-8B",
        devices=["MY_DEVICE"],
        device_profiles=[device],
        num_devices=4,
        workload=Workload(input_length=3500, output_length=1500),
        slo=Slo(ttft_ms=Limit("inf"), tpot_ms=Limit(50.0)),
        serving=Serving(compile=True),
    )
)
row = best(own)
print("best", row.tokens_per_s, row.batch_size, row.parallel.label)
print("limit", own.request.slo.ttft_ms.actual_instance)

mixed = best(
    finished(
        OptimizationRequest(
            model_id="Qwen/Qwen3-8B",
            num_devices={"TEST_DEVICE": 4},
            mode="disaggregation",
            workload=Workload(length_distribution=LengthDistribution(name="builtin"), output_length=500),
            allow_beyond_context=True,
            slo=Slo(ttft_ms=Limit(4000.0)),
        )
    )
)
print("mixed", mixed.num_input_tokens, *(f"{part.num_input_tokens}:{part.samples}" for part in mixed.composition))

try:
    optimizations.create_optimization(
        OptimizationRequest(
            model_id="Qwen/Qwen3-8B",
            devices=["TEST_DEVICE"],
            workload=Workload(input_length=100, output_length=100),
            search=Search(batch_range=[8, 2]),
        )
    )
except ApiException as refused:
    problem = Problem.from_json(refused.body)
    print("problem", problem.status, problem.errors[0].pointer)

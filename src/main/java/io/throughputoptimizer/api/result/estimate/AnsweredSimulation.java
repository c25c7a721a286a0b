package io.throughputoptimizer.api.result.estimate;

import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.request.SimulationRequest;

/// A simulation and what was asked.
///
/// @param request request, repeated in reports; not sent
public record AnsweredSimulation(
        SimulationRequest request, @JsonValue SimulationResponse answer) {}

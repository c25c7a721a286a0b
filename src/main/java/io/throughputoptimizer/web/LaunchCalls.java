package io.throughputoptimizer.web;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.launch.CannotLaunchException;
import io.throughputoptimizer.launch.EngineChoice;
import io.throughputoptimizer.launch.Launcher;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import io.throughputoptimizer.web.problem.ProblemException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Common parts of operations that return launch commands: their parameters and their errors.
record LaunchCalls(Catalogs catalogs) {
    static final String CONTEXT_TOKENS = "context_tokens";

    /// @param engine absent for the one of the request
    /// @throws InvalidParameterException if there is no such engine
    void requireKnown(@Nullable String engine) {
        if (engine != null && !catalogs.launch().containsKey(engine)) {
            throw new InvalidParameterException("engine", "must be one of " + known() + ", got \"" + engine + "\"");
        }
    }

    /// Starts a row on the engine of the parameter, or on the one that the request names as `engine.backend`.
    ///
    /// @param engine engine that passes [#requireKnown]
    /// @throws InvalidParameterException if neither names one
    Launcher launcher(@Nullable String engine, Findings findings, Launcher.Asked row) {
        return new Launcher(
                catalogs,
                engine != null
                        ? engine
                        : EngineChoice.ofRequest(catalogs, findings.request(), findings.result(), row)
                                .orElseThrow(() -> new InvalidParameterException(
                                        "engine",
                                        "is required, since the request has no engine.backend; allowed: " + known())));
    }

    private String known() {
        return String.join(", ", catalogs.launch().keySet());
    }

    /// @throws InvalidParameterException if the text is no whole number
    static int place(String text) {
        return number("rank", text);
    }

    /// @throws InvalidParameterException if the text is no whole number
    static int number(String parameter, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw new InvalidParameterException(parameter, "must be a whole number from 1, got \"" + text + "\"");
        }
    }

    /// Returns the response, or throws the problem if a launch is not possible.
    static <T> T answer(Supplier<T> answer) {
        try {
            return answer.get();
        } catch (CannotLaunchException e) {
            throw refused(e);
        }
    }

    private static RuntimeException refused(CannotLaunchException refusal) {
        String reason = String.valueOf(refusal.getMessage());
        return switch (refusal.subject()) {
            case ENGINE -> ProblemException.cannotLaunch(reason + ".");
            case RANK -> new InvalidParameterException("rank", reason);
            case CONTEXT -> new InvalidParameterException(CONTEXT_TOKENS, reason);
            case DEVICE -> new InvalidParameterException("device", reason);
        };
    }
}

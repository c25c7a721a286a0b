package io.throughputoptimizer.web;

import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.web.parameter.TakesParameters;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/// Checks the query of each request before its operation runs: refuses unknown parameters, missing ones, and those that
/// are repeated although the operation reads one value. Thread-safe.
final class KnownParameters implements HandlerInterceptor {
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Map<Method, Parameters> known = new ConcurrentHashMap<>();

    /// The query parameters of an operation.
    ///
    /// @param required parameters without a default
    /// @param lists parameters that can be repeated
    private record Parameters(Set<String> all, Set<String> required, Set<String> lists) {
        static Parameters of(HandlerMethod operation) {
            Parameters parameters = new Parameters(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
            TakesParameters taken = operation.getMethodAnnotation(TakesParameters.class);
            if (taken != null) {
                parameters.all.addAll(List.of(taken.value()));
                parameters.lists.addAll(List.of(taken.lists()));
            }
            for (MethodParameter parameter : operation.getMethodParameters()) {
                RequestParam read = parameter.getParameterAnnotation(RequestParam.class);
                if (read != null && !Map.class.isAssignableFrom(parameter.getParameterType())) {
                    parameter.initParameterNameDiscovery(NAMES);
                    parameters.add(read, parameter);
                }
            }
            return parameters;
        }

        private void add(RequestParam read, MethodParameter parameter) {
            String name = read.name().isEmpty() ? String.valueOf(parameter.getParameterName()) : read.name();
            all.add(name);
            if (read.required() && read.defaultValue().equals(ValueConstants.DEFAULT_NONE)) {
                required.add(name);
            }
            if (Collection.class.isAssignableFrom(parameter.getParameterType())) {
                lists.add(name);
            }
        }

        /// Calls `refusal` with each parameter that breaks a rule, and the rule.
        void check(Map<String, String[]> query, BiConsumer<String, String> refusal) {
            query.forEach((name, values) -> {
                if (!all.contains(name)) {
                    refusal.accept(name, unknown(name));
                } else if (values.length > 1 && !lists.contains(name)) {
                    refusal.accept(name, "must be given once, got " + values.length + " values");
                }
            });
            for (String name : required) {
                if (!query.containsKey(name)) {
                    refusal.accept(name, "is required");
                }
            }
        }

        private String unknown(String name) {
            return all.isEmpty()
                    ? "is unknown: the operation has no query parameters. Remove it"
                    : "is unknown; allowed: " + String.join(", ", all)
                            + NearestNames.meant(name, all)
                                    .map(meant -> ". Did you mean \"" + meant + "\"?")
                                    .orElse("");
        }
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod operation
                && AnnotatedElementUtils.hasAnnotation(operation.getBeanType(), RestController.class)) {
            Map<String, String> faults = new LinkedHashMap<>();
            known.computeIfAbsent(operation.getMethod(), _ -> Parameters.of(operation))
                    .check(request.getParameterMap(), faults::put);
            if (!faults.isEmpty()) {
                throw new InvalidParameterException(faults);
            }
        }
        return true;
    }
}

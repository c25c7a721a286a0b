package io.restassured.internal.path.json;

import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import io.restassured.internal.common.assertion.Assertion;
import io.restassured.internal.common.assertion.AssertionSupport;
import io.restassured.internal.common.assertion.PathFragmentEscaper;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/// What REST Assured reads a path of JSON with. It stands before the library's own of this name on the class
/// path of tests: that one has Groovy compile a class for each path that is asked for, each time, which took a
/// fifth of the processor time of all tests over HTTP. Here a path of names and numbers is gone along by
/// Groovy's runtime, so that lists and what is absent are treated alike; any other is compiled once.
public final class JSONAssertion implements Assertion {
    private static final String ROOT = "restAssuredJsonRootObject";
    private static final Pattern PLAIN = Pattern.compile("(\\w+|\\[-?\\d+])(\\.\\w+|\\[-?\\d+])*");
    private static final Pattern STEP = Pattern.compile("\\[(?<index>-?\\d+)]|(?<name>\\w+)");
    private static final ConcurrentMap<String, Class<? extends Script>> COMPILED = new ConcurrentHashMap<>();

    private String key = "";
    private Map<String, Object> params = Map.of();

    public void setKey(String key) {
        this.key = key;
    }

    public void setParams(@Nullable Map<String, Object> params) {
        this.params = params == null ? Map.of() : params;
    }

    @Override
    public String description() {
        return "JSON path";
    }

    /// @throws IllegalArgumentException if there is no such expression
    @Override
    public @Nullable Object getResult(@Nullable Object root, @Nullable Object config) {
        if (key.isEmpty() || key.equals("$")) {
            return root;
        }
        try {
            return PLAIN.matcher(key).matches() ? along(root) : run(root);
        } catch (NullPointerException absent) {
            return null;
        }
    }

    private @Nullable Object along(@Nullable Object root) {
        Object there = root;
        for (MatchResult step : STEP.matcher(key).results().toList()) {
            there = step.group("index") == null
                    ? InvokerHelper.getProperty(there, step.group("name"))
                    : InvokerHelper.invokeMethod(there, "getAt", Integer.valueOf(step.group("index")));
        }
        return there;
    }

    private @Nullable Object run(@Nullable Object root) {
        Map<String, @Nullable Object> variables = new HashMap<>(params);
        variables.put(ROOT, root);
        String path = (String) AssertionSupport.escapePath(
                key,
                (PathFragmentEscaper) AssertionSupport.hyphen(),
                (PathFragmentEscaper) AssertionSupport.attributeGetter(),
                (PathFragmentEscaper) AssertionSupport.integer(),
                (PathFragmentEscaper) AssertionSupport.classKeyword());
        Class<? extends Script> compiled = COMPILED.computeIfAbsent(
                path.startsWith("[") ? ROOT + path : ROOT + "." + path,
                expression -> new GroovyShell().parse(expression).getClass());
        return InvokerHelper.createScript(compiled, new Binding(variables)).run();
    }
}

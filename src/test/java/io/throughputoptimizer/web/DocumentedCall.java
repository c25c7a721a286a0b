package io.throughputoptimizer.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A curl of a page of the documentation, and its output where the page shows it. Calls with variables that the
/// page does not set, with files or with methods of their own are left out.
///
/// @param page name of the file
/// @param path path and query of the call
/// @param headers as `name: value`
/// @param body body of a post; null for a get
/// @param filter program of jq that the response goes through; null if it is shown as it is
/// @param output content of the fenced block after the command's; null if the page shows none
/// @param variables calls whose ids the path or body has, by variable
record DocumentedCall(
        String page,
        String path,
        List<String> headers,
        @Nullable String body,
        @Nullable String filter,
        @Nullable String output,
        Map<String, DocumentedCall> variables) {
    private static final Pattern BLOCK =
            Pattern.compile("^```([a-z]*)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern START = Pattern.compile("^(?=curl |[A-Z]+=\\$\\()", Pattern.MULTILINE);
    private static final Pattern ASSIGNED = Pattern.compile("^([A-Z]+)=\\$\\((curl|jq -r \\.id (\\S+)\\))");
    private static final Pattern VARIABLE = Pattern.compile("\\$([A-Z]+)");
    private static final Pattern FROM_ELSEWHERE = Pattern.compile(" -X |--data-binary");
    private static final Pattern SAVED = Pattern.compile("\\| tee (\\S+)");
    private static final Pattern ADDRESS = Pattern.compile("localhost:8080(/[^\\s'\"]*)");
    private static final Pattern HEADER = Pattern.compile("-H '([^']*)'");
    private static final Pattern BODY = Pattern.compile("-d '([^']*)'");
    private static final Pattern FILTER = Pattern.compile("\\| jq (?:-\\w+ )*'([^']*)'");

    /// Returns the calls of a page in order.
    static List<DocumentedCall> in(Path page) throws IOException {
        String text = Files.readString(page);
        List<MatchResult> blocks = BLOCK.matcher(text).results().toList();
        Map<String, DocumentedCall> saved = new HashMap<>();
        Map<String, DocumentedCall> variables = new HashMap<>();
        List<DocumentedCall> calls = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            boolean isFollowed = i + 1 < blocks.size()
                    && text.substring(blocks.get(i).end(), blocks.get(i + 1).start())
                            .isBlank();
            String shown = isFollowed ? blocks.get(i + 1).group(2) : null;
            List<String> commands = START.splitAsStream(blocks.get(i).group(2))
                    .map(command -> command.replaceAll("'(\\$[A-Z]+)'", "$1"))
                    .toList();
            for (String command : commands) {
                Matcher assigned = ASSIGNED.matcher(command);
                if (assigned.find()) {
                    DocumentedCall call = assigned.group(3) == null
                            ? of(page, command, null, variables)
                            : saved.get(assigned.group(3));
                    if (call == null) {
                        variables.remove(assigned.group(1));
                    } else {
                        variables.put(assigned.group(1), call);
                    }
                } else if (isSelfContained(command, variables)) {
                    boolean isLast = command.equals(commands.getLast());
                    DocumentedCall call = of(page, command, isLast ? shown : null, variables);
                    first(SAVED, command).ifPresent(file -> saved.put(file, call));
                    calls.add(call);
                }
            }
        }
        return calls;
    }

    private static boolean isSelfContained(String command, Map<String, DocumentedCall> variables) {
        return command.startsWith("curl ")
                && ADDRESS.matcher(command).find()
                && !FROM_ELSEWHERE.matcher(command).find()
                && VARIABLE.matcher(command)
                        .results()
                        .map(variable -> variable.group(1))
                        .allMatch(variables::containsKey);
    }

    private static DocumentedCall of(
            Path page, String command, @Nullable String output, Map<String, DocumentedCall> variables) {
        return new DocumentedCall(
                String.valueOf(page.getFileName()),
                first(ADDRESS, command).orElseThrow(),
                HEADER.matcher(command).results().map(match -> match.group(1)).toList(),
                first(BODY, command).orElse(null),
                first(FILTER, command).orElse(null),
                output,
                Map.copyOf(variables));
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /// For the name of a test.
    @Override
    public String toString() {
        return page + ": " + (body == null ? path : body.replaceAll("\\s+", " "));
    }
}

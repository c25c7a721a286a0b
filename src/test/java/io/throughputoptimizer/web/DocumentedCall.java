package io.throughputoptimizer.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A curl of a page of the documentation, and the output that the page shows for it.
///
/// @param page name of the file
/// @param path what is called on the service
/// @param headers as `name: value`
/// @param body of a request that posts something; absent of those that get
/// @param filter program of jq that the answer goes through; absent when it is shown as it is
/// @param output content of the fenced block after the command's
record DocumentedCall(
        String page,
        String path,
        List<String> headers,
        @Nullable String body,
        @Nullable String filter,
        String output) {
    private static final Pattern BLOCK =
            Pattern.compile("^```([a-z]*)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern ADDRESS = Pattern.compile("localhost:8080(/[^\\s']*)");
    private static final Pattern HEADER = Pattern.compile("-H '([^']*)'");
    private static final Pattern BODY = Pattern.compile("-d '([^']*)'");
    private static final Pattern FILTER = Pattern.compile("\\| jq (?:-c )?'([^']*)'");

    /// Every block that starts with `curl`, with the block after it.
    static List<DocumentedCall> in(Path page) throws IOException {
        List<MatchResult> blocks =
                BLOCK.matcher(Files.readString(page)).results().toList();
        List<DocumentedCall> calls = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            String command = blocks.get(i).group(2);
            if (command.startsWith("curl ")) {
                calls.add(of(page, command, blocks.get(i + 1).group(2)));
            }
        }
        return calls;
    }

    private static DocumentedCall of(Path page, String command, String output) {
        return new DocumentedCall(
                String.valueOf(page.getFileName()),
                first(ADDRESS, command).orElseThrow(),
                HEADER.matcher(command).results().map(match -> match.group(1)).toList(),
                first(BODY, command).orElse(null),
                first(FILTER, command).orElse(null),
                output);
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

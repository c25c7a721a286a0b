package io.throughputoptimizer.web.frozen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What of an answer is compared: all but what no two jobs share, and what answers got after their file was written.
record Masked(List<Change> changes) {
    /// @param what parts of an answer
    /// @param instead what is compared in their place
    private record Change(Pattern what, String instead) {}

    /// What each job and each search has of its own.
    private static final Pattern OWN =
            Pattern.compile("\"(id|submitted_at|started_at|finished_at|elapsed_ms)\":(\"[^\"]*\"|[-+.0-9eE]+)");

    private static final String STRING = "\"([^\"\\\\]|\\\\.)*+\"";

    /// The body of the request.
    private static final Pattern ASKED = Pattern.compile(",\"asked\":.*?(?=,\"result\":)");

    /// Best plan and summary in front of a result, which [BestPlanCheck] compares with the rows.
    private static final Change OPENING = new Change(
            Pattern.compile("(?<=\"result\":\\{)(\"best\":\\{INNER\\},)?\"summary\":STRING,"
                    .replace("INNER", inner(5))
                    .replace("STRING", STRING)),
            "");

    /// Says in an answer that requests may be longer than the model's context, which none was refused for when
    /// `frozen-answers.txt` was written.
    static final String BEYOND = ",\"allow_beyond_context\":true";

    /// @param members of JSON that answers got after the file was written
    static Masked without(List<String> members) {
        Change own = new Change(OWN, "\"$1\":0");
        return new Masked(List.of(OPENING, own, new Change(added(members), "")));
    }

    /// For answers that got the body of the request, too, and questions that say [#BEYOND], after the file was written.
    ///
    /// @param members of JSON that they got besides
    static Masked asked(List<String> members) {
        return new Masked(Stream.concat(
                        Stream.of(OPENING),
                        Stream.of(Pattern.compile(Pattern.quote(BEYOND)), ASKED, OWN, added(members))
                                .map(pattern -> new Change(pattern, "")))
                .toList());
    }

    /// Each with its value: a text, a number, or a list or object down to so many levels below it.
    private static Pattern added(List<String> members) {
        return Pattern.compile(",\"(NAMES)\":(STRING|[-+.0-9eE]+|true|false|[\\[{]INNER[\\]}])"
                .replace("NAMES", String.join("|", members))
                .replace("INNER", inner(5))
                .replace("STRING", STRING));
    }

    /// What stands between two brackets.
    private static String inner(int levels) {
        return "(STRING|[^\"\\[\\]{}]++" + (levels == 0 ? "" : "|[\\[{]" + inner(levels - 1) + "[\\]}]") + ")*+";
    }

    String of(String body) {
        String shared = body;
        for (Change change : changes) {
            shared = change.what.matcher(shared).replaceAll(change.instead);
        }
        return shared;
    }

    /// Of a status and what is compared, in few characters.
    static String digest(int status, String compared) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(compared.getBytes(UTF_8));
            return status + ":" + HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.throughputoptimizer.web.frozen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/// What of an answer is compared: all but what no two jobs share, and what answers got after their file was written.
///
/// @param own what is left out
/// @param instead what stands there instead
record Masked(List<Pattern> own, String instead) {
    /// What each job and each search has of its own.
    private static final Pattern OWN =
            Pattern.compile("\"(id|submitted_at|started_at|finished_at|elapsed_ms)\":(\"[^\"]*\"|[-+.0-9eE]+)");

    /// The body of the request.
    private static final Pattern ASKED = Pattern.compile(",\"asked\":.*?(?=,\"result\":)");

    /// Says in an answer that requests may be longer than the model's context, which none was refused for when
    /// `frozen-answers.txt` was written.
    static final String BEYOND = ",\"allow_beyond_context\":true";

    static final Masked NOTHING_ADDED = new Masked(List.of(OWN), "\"$1\":0");

    /// For answers that got the body of the request, too, and questions that say [#BEYOND], after the file was written.
    ///
    /// @param members of JSON that they got besides
    static Masked asked(List<String> members) {
        return new Masked(List.of(Pattern.compile(Pattern.quote(BEYOND)), ASKED, OWN, added(members)), "");
    }

    /// Each with its value: a text, a number, or a list or object down to so many levels below it.
    private static Pattern added(List<String> members) {
        return Pattern.compile(",\"(NAMES)\":(STRING|[-+.0-9eE]+|true|false|[\\[{]INNER[\\]}])"
                .replace("NAMES", String.join("|", members))
                .replace("INNER", inner(5))
                .replace("STRING", "\"([^\"\\\\]|\\\\.)*+\""));
    }

    /// What stands between two brackets.
    private static String inner(int levels) {
        return "(STRING|[^\"\\[\\]{}]++" + (levels == 0 ? "" : "|[\\[{]" + inner(levels - 1) + "[\\]}]") + ")*+";
    }

    String of(String body) {
        String shared = body;
        for (Pattern pattern : own) {
            shared = pattern.matcher(shared).replaceAll(instead);
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

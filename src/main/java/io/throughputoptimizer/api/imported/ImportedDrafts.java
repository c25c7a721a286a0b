package io.throughputoptimizer.api.imported;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Draft tokens of another tool's file.
final class ImportedDrafts {
    private static final String COUNT = "nextn";
    private static final String ACCEPTED = "nextn_accepted";

    private ImportedDrafts() {}

    /// Reads `nextn`, and `nextn_accepted` of them: a step yields one token more.
    static void of(ImportedRequest read, ImportedMembers asked) {
        String count = asked.text(COUNT);
        Double accepted = asked.number(ACCEPTED);
        if (count == null || count.equals("0")) {
            return;
        }
        if (!count.matches("[0-9]{1,2}")) {
            read.leave(COUNT, "is " + count + ": a number of draft tokens is needed");
        } else if (accepted == null) {
            read.leave(COUNT, "nothing says how many drafts are accepted");
        } else {
            put(read, Integer.parseInt(count), accepted);
        }
    }

    private static void put(ImportedRequest read, int count, @Nullable Double accepted) {
        read.put("speculation/tokens", List.of(count))
                .put("speculation/accepted", accepted == null ? null : 1 + accepted);
    }
}

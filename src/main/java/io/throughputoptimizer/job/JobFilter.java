package io.throughputoptimizer.job;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A filter of listed jobs.
///
/// @param statuses statuses to list; empty for all
/// @param starred true to list starred jobs only
/// @param words lower-case words, each of which must occur in the name or the model
public record JobFilter(Set<JobStatus> statuses, boolean starred, List<String> words) {
    static final JobFilter ALL = new JobFilter(Set.of(), false, List.of());

    public JobFilter {
        statuses = Set.copyOf(statuses);
        words = List.copyOf(words);
    }

    /// Returns the SQL conditions, with the parameters of [#bounds].
    String conditions() {
        StringBuilder sql = new StringBuilder("status IN (:statuses)");
        if (starred) {
            sql.append(" AND starred");
        }
        for (int word = 0; word < words.size(); word++) {
            sql.append(" AND LOWER(CONCAT(name, ' ', model)) LIKE :word")
                    .append(word)
                    .append(" ESCAPE '!'");
        }
        return sql.toString();
    }

    Map<String, Object> bounds() {
        Set<JobStatus> wanted = statuses.isEmpty() ? Set.of(JobStatus.values()) : statuses;
        Map<String, Object> bounds = new TreeMap<>();
        bounds.put("statuses", wanted.stream().map(WireFormat::name).toList());
        for (int word = 0; word < words.size(); word++) {
            bounds.put("word" + word, "%" + words.get(word).replaceAll("[!%_]", "!$0") + "%");
        }
        return bounds;
    }
}

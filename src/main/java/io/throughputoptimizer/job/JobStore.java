package io.throughputoptimizer.job;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.quota.CallerId;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Jobs in the database. Requests, results and problems are stored as compressed JSON. Every method except
/// [#list] is one statement and joins the caller's transaction, if any. Thread-safe, also across replicas.
public final class JobStore implements Admission.Store<JobRequest, OptimizationJob> {
    private static final Pattern ANALYTIC =
            Pattern.compile("\"cost_model\":\"analytic\",|,\"cost_model\":\"analytic\"");

    private static final String ADD = """
            INSERT INTO optimization_job (id, status, submitted_at, started_at, finished_at, owner, sharer,
                idempotency_key, candidates_done, candidates_total, points, request, brief, model, asked,
                include_defaults, result, answer, problem)
            VALUES (:id, :status, :submittedAt, :startedAt, :finishedAt, :owner, :sharer, :key,
                :done, :total, :points, :request, :brief, :model, :asked, :includeDefaults, :result,
                :answer, :problem)""";

    private static final String LABEL = """
            UPDATE optimization_job SET name = NULLIF(COALESCE(:name, name), ''), starred = COALESCE(:starred, starred)
            WHERE id = :id""";

    private static final String RECENT_TIMES = """
            SELECT started_at, finished_at FROM optimization_job WHERE status = 'succeeded'
            ORDER BY id DESC FETCH FIRST :most ROWS ONLY""";

    /// Maximum bytes of compressed requests read by one statement for a list.
    private static final long BYTES_AT_ONCE = 1 << 20;

    private final JdbcClient jdbc;

    /// @param jobs number of queued jobs
    /// @param oldest submission time of the oldest queued job; null if there is none
    record Backlog(int jobs, @Nullable Instant oldest) {}

    /// A filter of listed jobs.
    ///
    /// @param statuses statuses to list; empty for all
    /// @param starred true to list starred jobs only
    /// @param words lower-case words, each of which must occur in the name or the model
    public record Filter(Set<JobStatus> statuses, boolean starred, List<String> words) {
        static final Filter ALL = new Filter(Set.of(), false, List.of());

        public Filter {
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

    /// @param bytes stored size of its request
    private record Entry(UUID id, long bytes) {}

    public JobStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /// @throws StoredTextException if it cannot be read
    public Optional<OptimizationJob> find(UUID id) {
        return jdbc.sql("SELECT " + JobRow.ALL + " FROM optimization_job WHERE id = :id")
                .param("id", id)
                .query(JobRow::withResult)
                .optional();
    }

    /// Finds a job without its result, which can be long; a failed job if it cannot be read.
    public Optional<OptimizationJob> findWithoutResult(UUID id) {
        return jdbc.sql("SELECT " + JobRow.WITHOUT_RESULT + " FROM optimization_job WHERE id = :id")
                .param("id", id)
                .query(JobRow::asFarAsReadable)
                .optional();
    }

    /// Finds a job without its result.
    @Override
    public Optional<OptimizationJob> findByKey(Origin origin) {
        return jdbc.sql("SELECT " + JobRow.WITHOUT_RESULT + " FROM optimization_job WHERE idempotency_key = :key")
                .param("key", origin.storedKey(), Types.VARCHAR)
                .query(JobRow::withoutResult)
                .optional();
    }

    /// Lists jobs, newest first, without their results and with brief requests of at most
    /// [BriefRequest#LONGEST] characters each.
    ///
    /// @param owner owner of the jobs; null for all
    /// @param before id below which the page begins; null for the first page
    public Page<OptimizationJob> list(Filter filter, @Nullable String owner, @Nullable UUID before, int limit) {
        Page<Entry> page = Page.of(
                jdbc,
                "SELECT id, OCTET_LENGTH(COALESCE(brief, request)) AS bytes FROM optimization_job WHERE "
                        + filter.conditions(),
                filter.bounds(),
                new Page.Wanted(owner, before, limit),
                (row, _) -> new Entry(row.getObject("id", UUID.class), row.getLong("bytes")),
                Entry::id);
        return new Page<>(read(page.entries()), page.next());
    }

    /// Reads jobs in batches, since drivers buffer the whole result of a statement. Jobs deleted meanwhile are
    /// left out.
    private List<OptimizationJob> read(List<Entry> entries) {
        List<OptimizationJob> jobs = new ArrayList<>();
        int begin = 0;
        while (begin < entries.size()) {
            int end = begin;
            long bytes = 0;
            while (end < entries.size()
                    && (end == begin || bytes + entries.get(end).bytes() <= BYTES_AT_ONCE)) {
                bytes += entries.get(end).bytes();
                end++;
            }
            jobs.addAll(jdbc.sql(
                            "SELECT " + JobRow.LISTED + " FROM optimization_job WHERE id IN (:ids) ORDER BY id DESC")
                    .param(
                            "ids",
                            entries.subList(begin, end).stream().map(Entry::id).toList())
                    .query(JobRow::listed)
                    .list());
            begin = end;
        }
        return jobs;
    }

    /// Sets the name and star of a job.
    ///
    /// @param name new name, empty to remove it; null to keep it
    /// @param starred new star; null to keep it
    /// @return true if the job exists
    public boolean label(UUID id, @Nullable String name, @Nullable Boolean starred) {
        return jdbc.sql(LABEL)
                        .param("id", id)
                        .param("name", name, Types.VARCHAR)
                        .param("starred", starred, Types.BOOLEAN)
                        .update()
                > 0;
    }

    /// Returns the states of known jobs.
    public List<OptimizationJob.Standing> standings(Collection<UUID> ids) {
        return jdbc.sql("SELECT " + JobRow.STANDING + " FROM optimization_job WHERE id IN (:ids)")
                .param("ids", ids)
                .query(JobRow::standing)
                .list();
    }

    @Override
    public boolean isOf(OptimizationJob job, JobRequest request) {
        return (job.request().equals(request.json()) || isEarlier(job.request(), request.json()))
                && job.includesDefaults() == request.includesDefaults();
    }

    /// Returns whether a request was stored by a version that left out cost model `analytic`.
    private static boolean isEarlier(String stored, String json) {
        return !stored.contains("\"cost_model\"")
                && stored.equals(ANALYTIC.matcher(json).replaceFirst(""));
    }

    @Override
    public void lockAdmission() {
        jdbc.sql("SELECT id FROM job_admission WHERE id = 1 FOR UPDATE")
                .query(Integer.class)
                .single();
    }

    int count(JobStatus status) {
        return jdbc.sql("SELECT COUNT(*) FROM optimization_job WHERE status = :status")
                .param("status", WireFormat.name(status))
                .query(Integer.class)
                .single();
    }

    @Override
    public Admission.Waiting waiting(CallerId callerId) {
        return JobColumns.waiting(jdbc, "optimization_job", List.of(JobStatus.QUEUED), callerId);
    }

    @Override
    public Optional<Duration> expectedWait(Admission.Waiting waiting, int most) {
        return Admission.ExpectedWait.of(
                recentTimes(Admission.ExpectedWait.SAMPLE), waiting, most, count(JobStatus.RUNNING));
    }

    /// Returns the finished jobs, which have a retention period unless they are starred.
    public JobRetention.Kept finished() {
        return new JobRetention.Kept(jdbc, "finished jobs", "optimization_job", "finished_at", "starred");
    }

    /// Returns the number of queued jobs and the submission time of the oldest.
    Backlog backlog() {
        return jdbc.sql(
                        "SELECT COUNT(*) AS jobs, MIN(submitted_at) AS oldest FROM optimization_job WHERE status = :status")
                .param("status", WireFormat.name(JobStatus.QUEUED))
                .query((row, _) -> new Backlog(row.getInt("jobs"), JobColumns.time(row, "oldest")))
                .single();
    }

    /// Returns the durations of the latest succeeded jobs, newest first.
    List<Duration> recentTimes(int most) {
        return jdbc.sql(RECENT_TIMES)
                .param("most", most)
                .query((row, _) -> Duration.between(
                        row.getObject("started_at", OffsetDateTime.class),
                        row.getObject("finished_at", OffsetDateTime.class)))
                .list();
    }

    /// Throws if the database cannot be read.
    public void checkReading() {
        jdbc.sql("SELECT id FROM job_admission").query(Integer.class).single();
    }

    /// Throws if the database cannot be written.
    public void checkWriting() {
        jdbc.sql("UPDATE job_admission SET id = id").update();
    }

    @Override
    public void add(OptimizationJob job, JobRequest request) {
        add(job);
    }

    /// @throws org.springframework.dao.DuplicateKeyException if the idempotency key is taken
    void add(OptimizationJob job) {
        JobState state = job.state();
        JdbcClient.StatementSpec insert = jdbc.sql(ADD)
                .param("id", job.id())
                .param("submittedAt", JobColumns.time(job.submittedAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("startedAt", JobColumns.time(state.startedAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("request", JobColumns.bytes(job.request()), Types.VARBINARY)
                .param("brief", JobColumns.bytes(JobRow.brief(job.request())), Types.VARBINARY)
                .param("model", JobRow.model(job.request()), Types.VARCHAR)
                .param("asked", JobColumns.bytes(job.asked()), Types.VARBINARY)
                .param("includeDefaults", job.includesDefaults());
        JobColumns.withOutcome(
                        JobColumns.withProgress(JobColumns.withOrigin(insert, job.origin()), state.progress()), state)
                .update();
    }
}

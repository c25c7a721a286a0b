package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.jdbc.AutodetectJdbcCustomization;
import javax.sql.DataSource;

/// Orders due jobs fairly: callers with the fewest running jobs over all replicas first, ties by least recent
/// start, so that callers take turns. Jobs of one caller keep their order. A job that interrupted the service
/// twice is placed after all jobs queued when it returned.
final class FairPicking extends AutodetectJdbcCustomization {
    /// Caller of a job, as in [JobRow#CALLER].
    private static final String CALLER = "COALESCE(job.owner, job.sharer, '')";

    private static final String LENGTH_OF_ID = "36";

    private final String task;
    private final String jobs;

    /// @param task name of the task; its instance names begin with job ids
    /// @param jobs table of the jobs
    FairPicking(DataSource database, String task, String jobs) {
        super(database);
        this.task = task;
        this.jobs = jobs;
    }

    @Override
    public String createSelectDueQuery(String table, int limit, String andCondition, boolean orderByPriority) {
        return dueQuery(table, andCondition) + getQueryLimitPart(limit);
    }

    /// Returns the query for due entries. Jobs that ended more than 10 minutes ago do not count as a turn.
    private String dueQuery(String table, String andCondition) {
        return """
            SELECT entry.* FROM %1$s entry LEFT %2$s
            LEFT JOIN (
                SELECT %3$s AS sharer, COUNT(*) AS jobs FROM %1$s entry %2$s WHERE entry.picked GROUP BY %3$s
            ) running ON running.sharer = %3$s
            LEFT JOIN (
                SELECT %3$s AS sharer, MAX(job.started_at) AS started_at FROM %5$s job
                WHERE job.finished_at IS NULL OR job.finished_at > CURRENT_TIMESTAMP - INTERVAL '10' MINUTE
                GROUP BY %3$s
            ) turn ON turn.sharer = %3$s
            WHERE entry.picked = ? AND entry.execution_time <= ? %4$s
            ORDER BY
                CASE
                    WHEN job.id IS NULL THEN 0
                    WHEN entry.consecutive_failures > 1
                        THEN ROW_NUMBER() OVER (ORDER BY entry.execution_time, entry.task_instance)
                    ELSE COALESCE(running.jobs, 0) + ROW_NUMBER()
                        OVER (PARTITION BY %3$s ORDER BY entry.execution_time, entry.task_instance)
                END,
                turn.started_at NULLS FIRST, entry.execution_time, entry.task_instance""".formatted(table, jobOfEntry(), CALLER, andCondition, jobs);
    }

    /// Returns the join of entries and jobs. Instance names of other tasks are not job ids.
    private String jobOfEntry() {
        return """
            JOIN %s job
                ON job.id = CASE WHEN entry.task_name = '%s'
                    THEN CAST(SUBSTRING(entry.task_instance, 1, %s) AS UUID) END""".formatted(jobs, task, LENGTH_OF_ID);
    }
}

package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.jdbc.AutodetectJdbcCustomization;
import javax.sql.DataSource;

/// Which entries of the queue are taken next: those of the caller who has the fewest running, over all replicas, and of
/// several such callers the one whose last start is longest ago, so that callers take turns. Of one caller they are
/// taken in the order of their times. One that interrupted the service twice has its place behind all that waited when
/// it came back, whoever's they are.
final class FairPicking extends AutodetectJdbcCustomization {
    /// As [JobRow#SHARER] has it.
    private static final String SHARER = "COALESCE(job.owner, job.sharer, '')";

    private static final String LENGTH_OF_ID = "36";

    private final String task;
    private final String jobs;

    /// @param task whose instances begin with ids of jobs
    /// @param jobs table that they are in
    FairPicking(DataSource database, String task, String jobs) {
        super(database);
        this.task = task;
        this.jobs = jobs;
    }

    @Override
    public String createSelectDueQuery(String table, int limit, String andCondition, boolean orderByPriority) {
        return dueQuery(table, andCondition) + getQueryLimitPart(limit);
    }

    /// What ended long ago is no turn.
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
                turn.started_at NULLS FIRST, entry.execution_time, entry.task_instance""".formatted(table, jobOfEntry(), SHARER, andCondition, jobs);
    }

    /// Instances of other tasks are no ids of jobs.
    private String jobOfEntry() {
        return """
            JOIN %s job
                ON job.id = CASE WHEN entry.task_name = '%s'
                    THEN CAST(SUBSTRING(entry.task_instance, 1, %s) AS UUID) END""".formatted(jobs, task, LENGTH_OF_ID);
    }
}

-- How often a job was started. What a start writes later counts only while it is the newest one.
ALTER TABLE optimization_job ADD COLUMN attempt INTEGER DEFAULT 0 NOT NULL;

-- For retention.
CREATE INDEX optimization_job_finished_at ON optimization_job (finished_at);

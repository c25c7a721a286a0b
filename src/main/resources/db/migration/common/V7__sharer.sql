-- The address that submitted a job where nobody was asked for a key, shortened to its network for IPv6: whom the job counts for among
-- callers. Absent of jobs with an owner, who count for that, and of those that earlier versions took.
ALTER TABLE optimization_job ADD COLUMN sharer VARCHAR(300);

-- What people call a job, and whether they marked it. model is that of the request, by which lists are searched; null of pasted ones, and of
-- jobs that earlier versions took.
ALTER TABLE optimization_job ADD COLUMN name VARCHAR(200);
ALTER TABLE optimization_job ADD COLUMN starred BOOLEAN DEFAULT FALSE NOT NULL;
ALTER TABLE optimization_job ADD COLUMN model VARCHAR(300);

-- The body of a request as it was asked, without defaults; absent of jobs that earlier versions took.
ALTER TABLE optimization_job ADD COLUMN asked binary_data;

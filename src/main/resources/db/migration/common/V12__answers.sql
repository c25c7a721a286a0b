-- What lists say of a result, as JSON; null of jobs without one, and of those that earlier versions finished.
ALTER TABLE optimization_job ADD COLUMN answer VARCHAR(2000);

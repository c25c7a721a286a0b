-- What lists show of a request that is too long for them; null where they show all of it. Compressed: names of the members that are
-- left out or lack something, with commas between, a line end, and JSON.
ALTER TABLE optimization_job ADD COLUMN brief binary_data;

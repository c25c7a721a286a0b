-- Whether a request is searched with the engine's own defaults as well.
ALTER TABLE optimization_job ADD COLUMN include_defaults BOOLEAN DEFAULT FALSE NOT NULL;

-- Names that people give to sweeps.
ALTER TABLE sweep ADD COLUMN name VARCHAR(200);

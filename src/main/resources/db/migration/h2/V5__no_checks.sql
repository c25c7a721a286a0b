-- H2 evaluates a check with the session that made it, and refuses every row once that connection is closed, which a pool
-- does after half an hour. Of a status only the service's own words are written. PostgreSQL keeps its check.
-- The constraint has no name of its own.
EXECUTE IMMEDIATE (
    SELECT 'ALTER TABLE optimization_job DROP CONSTRAINT ' || QUOTE_IDENT(constraint_name)
    FROM information_schema.table_constraints
    WHERE table_schema = CURRENT_SCHEMA AND UPPER(table_name) = 'OPTIMIZATION_JOB' AND constraint_type = 'CHECK'
);

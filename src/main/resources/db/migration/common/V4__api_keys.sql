-- Of a key's secret only a salted hash is kept. Several keys may have one name: that of their holder.
CREATE TABLE api_key (
    id VARCHAR(16) NOT NULL PRIMARY KEY,
    name VARCHAR(64) NOT NULL,
    roles VARCHAR(100) NOT NULL,
    salt VARCHAR(32) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE
);

-- Who submitted a job; none where nobody is asked for a key.
ALTER TABLE optimization_job ADD COLUMN owner VARCHAR(300);

CREATE INDEX optimization_job_owner ON optimization_job (owner, id);

-- Keys are each owner's own: the owner follows them, after a space, which no key has.
ALTER TABLE optimization_job ALTER COLUMN idempotency_key SET DATA TYPE VARCHAR(600);

-- Links that show one job to people without a key. Of a link's secret only a salted hash is kept; one that is revoked goes. A link whose job
-- is gone shows nothing, and goes when another is made.
CREATE TABLE optimization_share (
    id VARCHAR(16) NOT NULL PRIMARY KEY,
    job_id UUID NOT NULL,
    salt VARCHAR(32) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX optimization_share_job ON optimization_share (job_id);
CREATE INDEX optimization_share_expires_at ON optimization_share (expires_at);

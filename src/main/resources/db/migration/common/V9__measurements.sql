-- Measurements that callers bring. summary and content are JSON, compressed by gzip: as lists show a set, and all of it. Ids ascend with the
-- time of creation. Whose a set is, and whom it counts for, are kept as of jobs.
CREATE TABLE measurement_set (
    id UUID NOT NULL PRIMARY KEY,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    owner VARCHAR(300),
    sharer VARCHAR(300),
    summary binary_data NOT NULL,
    content binary_data NOT NULL
);

CREATE INDEX measurement_set_owner ON measurement_set (owner, id);
CREATE INDEX measurement_set_created_at ON measurement_set (created_at);

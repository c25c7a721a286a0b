-- Sweeps: grids of questions. request is JSON, compressed by gzip, from which each cell is made wherever it runs. Ids ascend with the time of
-- submission; whose a sweep is, and whom it counts for, are kept as of jobs. A row of the second table is written when all cells of a chunk
-- have their rows: content is JSON, compressed by gzip, and column_names are the columns of its figures, with line ends between.
CREATE TABLE sweep (
    id UUID NOT NULL PRIMARY KEY,
    status VARCHAR(16) NOT NULL,
    submitted_at TIMESTAMP WITH TIME ZONE NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE,
    finished_at TIMESTAMP WITH TIME ZONE,
    owner VARCHAR(300),
    sharer VARCHAR(300),
    idempotency_key VARCHAR(600) UNIQUE,
    cells INTEGER NOT NULL,
    chunk_cells INTEGER NOT NULL,
    checked INTEGER NOT NULL,
    done INTEGER DEFAULT 0 NOT NULL,
    answered INTEGER DEFAULT 0 NOT NULL,
    unanswered INTEGER DEFAULT 0 NOT NULL,
    invalid INTEGER DEFAULT 0 NOT NULL,
    failed INTEGER DEFAULT 0 NOT NULL,
    request binary_data NOT NULL,
    problem binary_data
);

CREATE INDEX sweep_owner ON sweep (owner, id);
CREATE INDEX sweep_status ON sweep (status, id);
CREATE INDEX sweep_finished_at ON sweep (finished_at);

CREATE TABLE sweep_chunk (
    sweep_id UUID NOT NULL REFERENCES sweep (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    column_names VARCHAR(20000) NOT NULL,
    content binary_data NOT NULL,
    PRIMARY KEY (sweep_id, number)
);

-- Whoever admits a sweep holds the lock on the only row.
CREATE TABLE sweep_admission (
    id INTEGER NOT NULL PRIMARY KEY
);

INSERT INTO sweep_admission (id) VALUES (1);

-- The queue of chunks, of db-scheduler.
CREATE TABLE sweep_task (
    task_name VARCHAR(100) NOT NULL,
    task_instance VARCHAR(100) NOT NULL,
    task_data binary_data,
    execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
    picked BOOLEAN NOT NULL,
    picked_by VARCHAR(100),
    last_success TIMESTAMP WITH TIME ZONE,
    last_failure TIMESTAMP WITH TIME ZONE,
    consecutive_failures INTEGER,
    last_heartbeat TIMESTAMP WITH TIME ZONE,
    version BIGINT NOT NULL,
    priority SMALLINT,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX sweep_task_execution_time ON sweep_task (execution_time);
CREATE INDEX sweep_task_last_heartbeat ON sweep_task (last_heartbeat);

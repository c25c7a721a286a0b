-- request and result are JSON, compressed by gzip. Ids ascend with the time of submission.
CREATE TABLE optimization_job (
    id UUID NOT NULL PRIMARY KEY,
    status VARCHAR(16) NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    submitted_at TIMESTAMP WITH TIME ZONE NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE,
    finished_at TIMESTAMP WITH TIME ZONE,
    idempotency_key VARCHAR(200) UNIQUE,
    cancel_requested BOOLEAN DEFAULT FALSE NOT NULL,
    candidates_done INTEGER DEFAULT 0 NOT NULL,
    candidates_total INTEGER,
    points BIGINT DEFAULT 0 NOT NULL,
    request binary_data NOT NULL,
    result binary_data,
    problem binary_data
);

CREATE INDEX optimization_job_status ON optimization_job (status, id);

-- Whoever admits a job holds the lock on the only row.
CREATE TABLE job_admission (
    id INTEGER NOT NULL PRIMARY KEY
);

INSERT INTO job_admission (id) VALUES (1);

-- The queue of db-scheduler.
CREATE TABLE scheduled_tasks (
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

CREATE INDEX scheduled_tasks_execution_time ON scheduled_tasks (execution_time);
CREATE INDEX scheduled_tasks_last_heartbeat ON scheduled_tasks (last_heartbeat);

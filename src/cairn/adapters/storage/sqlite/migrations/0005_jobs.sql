-- The job queue: jobs, the prompts that they ask (each stored once, by its hash), and a record of each job that ended.
CREATE TABLE state_jobs (
    id TEXT PRIMARY KEY,
    action_id TEXT NOT NULL,
    action_version TEXT NOT NULL,
    node_id TEXT NOT NULL,
    question_hash TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    nonce TEXT NOT NULL,
    priority INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    failure_reason TEXT,
    runner TEXT,
    run_id TEXT,
    ttl_seconds INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    forced INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    claimed_at_ms INTEGER,
    finished_at_ms INTEGER,
    expires_at_ms INTEGER,
    submitted_by TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX state_jobs_live ON state_jobs (question_hash, node_id, action_id, action_version)
    WHERE status IN ('queued', 'running') AND forced = 0;
CREATE INDEX state_jobs_queue ON state_jobs (priority DESC, created_at_ms, id) WHERE status = 'queued';
CREATE INDEX state_jobs_running ON state_jobs (expires_at_ms) WHERE status = 'running';
CREATE INDEX state_jobs_by_content ON state_jobs (content_hash);
CREATE INDEX state_jobs_by_node ON state_jobs (node_id);

CREATE TABLE state_job_contents (
    content_hash TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
);

CREATE TABLE state_executions (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    extension_id TEXT NOT NULL,
    extension_version TEXT NOT NULL,
    node_id TEXT NOT NULL,
    content_hash TEXT,
    status TEXT NOT NULL CHECK (status IN ('completed', 'failed', 'cancelled')),
    failure_reason TEXT,
    message TEXT,
    exit_code INTEGER,
    runner TEXT,
    model TEXT,
    started_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER NOT NULL,
    duration_ms INTEGER,
    tokens_in INTEGER,
    tokens_out INTEGER,
    report_json TEXT,
    job_id TEXT
);
CREATE INDEX state_executions_by_time ON state_executions (finished_at_ms);
CREATE INDEX state_executions_by_node ON state_executions (node_id);

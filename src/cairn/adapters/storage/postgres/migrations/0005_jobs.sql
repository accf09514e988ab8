-- The job queue: jobs, the prompts that they ask (each stored once, by its hash), and a record of each job that ended.
CREATE TABLE state_jobs (
    id TEXT COLLATE "C" PRIMARY KEY,
    action_id TEXT COLLATE "C" NOT NULL,
    action_version TEXT COLLATE "C" NOT NULL,
    node_id TEXT COLLATE "C" NOT NULL,
    question_hash TEXT COLLATE "C" NOT NULL,
    content_hash TEXT COLLATE "C" NOT NULL,
    nonce TEXT COLLATE "C" NOT NULL,
    priority BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    failure_reason TEXT COLLATE "C",
    runner TEXT COLLATE "C",
    run_id TEXT COLLATE "C",
    ttl_seconds BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    forced BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    claimed_at_ms BIGINT,
    finished_at_ms BIGINT,
    expires_at_ms BIGINT,
    submitted_by TEXT COLLATE "C"
);
CREATE UNIQUE INDEX state_jobs_live ON state_jobs (question_hash, node_id, action_id, action_version)
    WHERE status IN ('queued', 'running') AND forced = 0;
CREATE INDEX state_jobs_queue ON state_jobs (priority DESC, created_at_ms, id) WHERE status = 'queued';
CREATE INDEX state_jobs_running ON state_jobs (expires_at_ms) WHERE status = 'running';
CREATE INDEX state_jobs_by_content ON state_jobs (content_hash);
CREATE INDEX state_jobs_by_node ON state_jobs (node_id);

CREATE TABLE state_job_contents (
    content_hash TEXT COLLATE "C" PRIMARY KEY,
    content TEXT COLLATE "C" NOT NULL,
    created_at_ms BIGINT NOT NULL
);

CREATE TABLE state_executions (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    extension_id TEXT COLLATE "C" NOT NULL,
    extension_version TEXT COLLATE "C" NOT NULL,
    node_id TEXT COLLATE "C" NOT NULL,
    content_hash TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('completed', 'failed', 'cancelled')),
    failure_reason TEXT COLLATE "C",
    message TEXT COLLATE "C",
    exit_code BIGINT,
    runner TEXT COLLATE "C",
    model TEXT COLLATE "C",
    started_at_ms BIGINT NOT NULL,
    finished_at_ms BIGINT NOT NULL,
    duration_ms BIGINT,
    tokens_in BIGINT,
    tokens_out BIGINT,
    report_json TEXT COLLATE "C",
    job_id TEXT COLLATE "C"
);
CREATE INDEX state_executions_by_time ON state_executions (finished_at_ms);
CREATE INDEX state_executions_by_node ON state_executions (node_id);

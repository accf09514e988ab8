-- The job queue. A claim is one statement, so that nobody else gets the same job.

-- name: job_columns
id, action_id, action_version, node_id, question_hash, content_hash, nonce, priority, status, failure_reason, runner,
    run_id, ttl_seconds, attempt, forced, created_at_ms, claimed_at_ms, finished_at_ms, expires_at_ms, submitted_by,
    input_hash, retry_of, taint, tokens
-- name: add_job
INSERT INTO state_jobs ([= job_columns])
VALUES (:id, :action_id, :action_version, :node_id, :question_hash, :content_hash, :nonce, :priority, :status,
    :failure_reason, :runner, :run_id, :ttl_seconds, :attempt, :forced, :created_at_ms, :claimed_at_ms, :finished_at_ms,
    :expires_at_ms, :submitted_by, :input_hash, :retry_of, :taint, :tokens)
ON CONFLICT (id) DO NOTHING
-- name: add_job_content
INSERT INTO state_job_contents (content_hash, content, created_at_ms) VALUES (:content_hash, :content, :created_at_ms)
ON CONFLICT (content_hash) DO NOTHING
-- name: last_job_id
SELECT max(id) FROM state_jobs WHERE id >= :low AND id < :high
-- name: live_job
SELECT [= job_columns] FROM state_jobs
WHERE question_hash = :question_hash AND node_id = :node_id AND action_id = :action_id
    AND action_version = :action_version AND status IN ('queued', 'running') ORDER BY id LIMIT 1
-- name: live_question
SELECT [= job_columns] FROM state_jobs
WHERE question_hash = :question_hash AND status IN ('queued', 'running') ORDER BY id LIMIT 1
-- name: claim_job
UPDATE state_jobs SET status = 'running', runner = :runner, run_id = :run_id, claimed_at_ms = :now_ms,
    expires_at_ms = :now_ms + ttl_seconds * 1000
WHERE id = ([= next_job]) AND status = 'queued'
RETURNING [= job_columns]
-- name: next_job
SELECT id FROM state_jobs WHERE status = 'queued' [where]
    ORDER BY priority DESC, created_at_ms, id LIMIT 1
-- name: job
SELECT [= job_columns] FROM state_jobs WHERE id = :id
-- name: jobs
SELECT [= job_columns] FROM state_jobs WHERE 1 = 1 [where] ORDER BY id DESC [limit]
-- name: count_jobs
SELECT status, count(*) FROM state_jobs GROUP BY status
-- name: waiting_jobs
SELECT action_id, count(*), sum(tokens) FROM state_jobs WHERE status IN ('queued', 'running') [where]
    GROUP BY action_id ORDER BY action_id
-- name: job_content
SELECT content FROM state_job_contents WHERE content_hash = :content_hash
-- name: expired_jobs
SELECT [= job_columns] FROM state_jobs WHERE status = 'running' AND expires_at_ms < :now_ms ORDER BY id
-- name: finish_job
UPDATE state_jobs SET status = :status, failure_reason = :reason, finished_at_ms = :now_ms
WHERE id = :id AND status IN [:came_from]
-- name: prune_jobs
DELETE FROM state_jobs WHERE status = :status AND finished_at_ms < :before_ms
-- name: prune_job_contents
DELETE FROM state_job_contents
WHERE NOT EXISTS (SELECT 1 FROM state_jobs j WHERE j.content_hash = state_job_contents.content_hash)
    AND NOT EXISTS (SELECT 1 FROM state_jobs j WHERE j.input_hash = state_job_contents.content_hash)
-- name: count_old_jobs
SELECT count(*) FROM state_jobs WHERE status = :status AND finished_at_ms < :before_ms
-- name: jobs_without_content
SELECT id FROM state_jobs j WHERE status IN ('queued', 'running')
    AND (NOT EXISTS (SELECT 1 FROM state_job_contents c WHERE c.content_hash = j.content_hash)
        OR (j.input_hash IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM state_job_contents c WHERE c.content_hash = j.input_hash))) ORDER BY id
-- name: move_jobs
UPDATE state_jobs SET node_id = :new
WHERE node_id = :old AND (forced = 1 OR status IN ('completed', 'failed') OR NOT EXISTS (
    SELECT 1 FROM state_jobs j WHERE j.node_id = :new AND j.question_hash = state_jobs.question_hash AND j.forced = 0
        AND j.status IN ('queued', 'running') AND j.action_id = state_jobs.action_id
        AND j.action_version = state_jobs.action_version))
-- name: execution_columns
id, kind, extension_id, extension_version, node_id, content_hash, status, failure_reason, message, exit_code, runner,
    model, started_at_ms, finished_at_ms, duration_ms, tokens_in, tokens_out, report_json, job_id,
    question_hash, kept_json
-- name: add_execution
INSERT INTO state_executions ([= execution_columns])
VALUES (:id, :kind, :extension_id, :extension_version, :node_id, :content_hash, :status, :failure_reason, :message,
    :exit_code, :runner, :model, :started_at_ms, :finished_at_ms, :duration_ms, :tokens_in, :tokens_out, :report_json,
    :job_id, :question_hash, :kept_json)
ON CONFLICT (id) DO NOTHING
-- name: last_execution_id
SELECT max(id) FROM state_executions WHERE id >= :low AND id < :high
-- name: executions
SELECT [= execution_columns] FROM state_executions WHERE finished_at_ms >= :since_ms [where]
    ORDER BY finished_at_ms DESC, id DESC [limit]
-- name: move_executions
UPDATE state_executions SET node_id = :new WHERE node_id = :old

-- Questions: the facts that a job is about, the job whose refused answer it asks for again, how far its material is to be
-- trusted, and how much it is; and answers that are found again by their question.
ALTER TABLE state_jobs ADD COLUMN input_hash TEXT COLLATE "C";
ALTER TABLE state_jobs ADD COLUMN retry_of TEXT COLLATE "C";
ALTER TABLE state_jobs ADD COLUMN taint BIGINT NOT NULL DEFAULT 1;
ALTER TABLE state_jobs ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0;
CREATE INDEX state_jobs_by_input ON state_jobs (input_hash);
ALTER TABLE state_executions ADD COLUMN question_hash TEXT COLLATE "C";
ALTER TABLE state_executions ADD COLUMN kept_json TEXT COLLATE "C";
CREATE INDEX state_executions_by_question ON state_executions (question_hash, finished_at_ms);

-- The index of the ledger's events holds places, not texts: what an event says is read from its line in the ledger. All
-- of it is made of the ledger's files, so nothing is copied; the next command that reads them makes it again.
DROP TABLE index_events;
CREATE TABLE index_events (
    id BYTEA PRIMARY KEY,
    type INTEGER NOT NULL,
    at_ms BIGINT NOT NULL,
    worktree INTEGER NOT NULL,
    file INTEGER NOT NULL,
    "offset" BIGINT NOT NULL
);
CREATE INDEX index_events_by_type ON index_events (type, at_ms);

-- Types, work trees and files of events, each by a number.
CREATE TABLE index_event_names (
    number INTEGER PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE
);

CREATE INDEX index_turns_by_time ON index_turns ((coalesce(eligible_at_ms, ended_at_ms, 0)));

DELETE FROM index_ledger_files;
DELETE FROM index_turns;
DELETE FROM index_notes;
DELETE FROM index_note_text;
DELETE FROM index_alerts;
DELETE FROM index_cleared;
DELETE FROM index_gap_days;
DELETE FROM index_gap_batches;
DELETE FROM index_gap_voices;
DELETE FROM index_gap_names;
DELETE FROM index_gap_excerpts;
DELETE FROM index_readings;

-- Results that depend on more than the scanned files, with a stamp of everything they were computed from.
CREATE TABLE cache_results (
    name TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;

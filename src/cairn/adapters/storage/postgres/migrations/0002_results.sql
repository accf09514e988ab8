-- Results that depend on more than the scanned files, with a stamp of everything they were computed from.
CREATE TABLE cache_results (
    name TEXT COLLATE "C" PRIMARY KEY,
    stamp TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);

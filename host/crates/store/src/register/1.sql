-- The authors. `token` is the SHA-256 of an author's token; NULL when it was revoked. `disqualified` is the reason why an author is.
-- In both cases, the author's bot does not play.
CREATE TABLE author (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    token BLOB UNIQUE CHECK (length(token) = 32),
    invited_at TEXT NOT NULL,
    revoked_at TEXT,
    disqualified TEXT,
    CHECK ((token IS NULL) = (revoked_at IS NOT NULL))
) STRICT;

-- The versions of their bots. Of an author's versions that were admitted, the one that was chosen last plays.
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES author,
    number INTEGER NOT NULL CHECK (number > 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    size INTEGER NOT NULL,
    submitted_at TEXT NOT NULL,
    chosen INTEGER NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'refused', 'faulted', 'admitted')),
    finding TEXT NOT NULL DEFAULT '',
    UNIQUE (author, number),
    UNIQUE (author, sha256)
) STRICT;

CREATE INDEX version_by_component ON version (sha256);
CREATE INDEX version_by_state ON version (state);

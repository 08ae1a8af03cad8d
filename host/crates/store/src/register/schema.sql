-- The authors. `token` is the SHA-256 of an author's token; NULL when it was revoked. `disqualified` is the reason why an author is.
-- The journals name an author `author.` and the number, and only this table has the name; of an author who was deleted, it is the same.
-- `pseudonym` is the name that the pages have instead, if there is one; `pseudonym_fixed` is 1 if the organiser has set it, so that the author
-- cannot change it.
-- In both cases, the author's bot does not play. `judged_ms` is the author's account: the processor time that judging the author's versions
-- has taken, in milliseconds, as it was in the hour `judged_hour`, counted from 1970.
CREATE TABLE author (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    pseudonym TEXT UNIQUE,
    pseudonym_fixed INTEGER NOT NULL DEFAULT 0 CHECK (pseudonym_fixed IN (0, 1)),
    token BLOB UNIQUE CHECK (length(token) = 32),
    invited_at TEXT NOT NULL,
    revoked_at TEXT,
    disqualified TEXT,
    judged_ms INTEGER NOT NULL DEFAULT 0 CHECK (judged_ms >= 0),
    judged_hour INTEGER NOT NULL DEFAULT 0,
    CHECK ((token IS NULL) = (revoked_at IS NOT NULL))
) STRICT;

-- The organisers who may sign in to the page for them. `token` is the SHA-256 of a token; NULL when it was revoked.
CREATE TABLE organiser (
    name TEXT PRIMARY KEY,
    token BLOB UNIQUE CHECK (length(token) = 32)
) STRICT;

-- What organisers have done. `organiser` is NULL for a command on the club's machine. `detail` is removed with the author.
CREATE TABLE action (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    organiser TEXT,
    author INTEGER REFERENCES author,
    what TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;

-- The code without which nobody sees the pages, if there is one, and the secret that the cookie of those who have given it has.
CREATE TABLE class_code (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    code TEXT NOT NULL,
    cookie TEXT NOT NULL
) STRICT;

-- The versions of their bots. Of an author's versions that were admitted, the one that was chosen last plays. One that was never chosen, with
-- NULL, is a draft.
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    author INTEGER NOT NULL REFERENCES author,
    number INTEGER NOT NULL CHECK (number > 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    size INTEGER NOT NULL,
    submitted_at TEXT NOT NULL,
    chosen INTEGER UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'refused', 'faulted', 'admitted')),
    finding TEXT NOT NULL DEFAULT '',
    -- The reason why it is paused: it was admitted, and does not play until it is submitted again.
    paused TEXT,
    -- 1 if the author agrees that the component is published when a season in which it has played is over.
    published INTEGER NOT NULL DEFAULT 0 CHECK (published IN (0, 1)),
    -- The number of the author's version that has replaced this one before it was judged. The state is 'refused' then.
    replaced_by INTEGER,
    -- The fuel of a game of the version, by its trial games; 0 when it is not known.
    game_fuel INTEGER NOT NULL DEFAULT 0 CHECK (game_fuel >= 0),
    -- The time at which the component was deleted: its file is removed, and the version cannot play; NULL when it is kept.
    deleted_at TEXT,
    -- The name that the bot gives itself; empty until it is admitted.
    own_name TEXT NOT NULL DEFAULT '',
    UNIQUE (author, number),
    UNIQUE (author, sha256)
) STRICT;

CREATE INDEX version_by_component ON version (sha256);
CREATE INDEX version_by_state ON version (state);

-- The seasons, of which the one with the largest number is played. `frozen_at` is the time at which it was frozen: no bots are taken.
-- The others are the dates that its organiser has set: no game is played before `starts_at`, no bot is taken from `freezes_at` on, and
-- neither happens from `ends_at` on.
CREATE TABLE season (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    frozen_at TEXT,
    starts_at TEXT,
    freezes_at TEXT,
    ends_at TEXT
) STRICT;

INSERT INTO season (number) VALUES (1);

-- The link by which people become authors, if it is open: its code, and the number of authors who may still join by it.
CREATE TABLE join_link (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    code TEXT NOT NULL,
    places INTEGER NOT NULL CHECK (places >= 0)
) STRICT;

-- What the organiser has announced.
CREATE TABLE announcement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

-- The challenges: a version plays the bot of another author, or its author's own, for nothing. `games` is what the club has recorded of them.
-- The games themselves are in files named by the number, which is not given again.
CREATE TABLE challenge (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    version INTEGER NOT NULL REFERENCES version ON DELETE CASCADE,
    opponent INTEGER NOT NULL REFERENCES version ON DELETE CASCADE,
    asked_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'played', 'failed')),
    games TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX challenge_by_version ON challenge (version);
CREATE INDEX challenge_by_opponent ON challenge (opponent);

-- The components that have begun to play in a season, with the bytes that their side of its games takes in the journal.
CREATE TABLE played (
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    season INTEGER NOT NULL REFERENCES season,
    bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    PRIMARY KEY (sha256, season)
) STRICT;

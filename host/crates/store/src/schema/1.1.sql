-- Format 1.1 adds secret seeds. The seed in the conditions is then `sha256:` and 64 hexadecimal digits: the hash of the
-- seed's 32 bytes.

-- The seed of a tournament with a secret one, told after its last game: one row, or none before.
CREATE TABLE told_seed (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seed TEXT NOT NULL             -- decimal, or 64 hexadecimal digits
) STRICT;

CREATE TRIGGER told_seed_no_update BEFORE UPDATE ON told_seed BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;
CREATE TRIGGER told_seed_no_delete BEFORE DELETE ON told_seed BEGIN SELECT RAISE(ABORT, 'a journal is only added to'); END;

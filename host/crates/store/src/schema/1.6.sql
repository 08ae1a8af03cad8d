-- Format 1.6 adds the packed events of a game, which its transcript is made from when somebody asks for it.

-- What the players answered: everything else follows by the rules. A game that has them has no row in `transcript`.
ALTER TABLE game ADD COLUMN events BLOB;

-- Make the tables and the roles, for psql. This script can run again. The placeholders are the other two scripts.
BEGIN;
SET LOCAL client_min_messages = warning;
DO $tables$ BEGIN
PERFORM pg_advisory_xact_lock(x'54524E59'::integer);
IF to_regnamespace('tourney') IS NULL THEN EXECUTE $script${tables}$script$; END IF;
IF to_regclass('tourney.version') IS NULL THEN
    RAISE EXCEPTION 'the database''s tables were written by a pre-release of tourney'
        USING HINT = 'events need a new database: createdb NAME';
END IF;
IF (SELECT v.number FROM tourney.version v) > 1 THEN
    RAISE EXCEPTION 'the database''s tables were made by a newer tourney'
        USING HINT = 'install the newest tourney';
END IF;
END $tables$;
{roles}COMMIT;

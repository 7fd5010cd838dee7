-- Create the two roles that are granted to logins, an owner and a desk. This script can run again.
DO $$ BEGIN
    IF to_regrole('tourney_owner') IS NULL THEN CREATE ROLE tourney_owner NOLOGIN; END IF;
    IF to_regrole('tourney_desk') IS NULL THEN CREATE ROLE tourney_desk NOLOGIN; END IF;
    -- Only a member of the owners may give them the schema, and they must be able to create one.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
        AND EXISTS (SELECT FROM pg_namespace WHERE nspname = 'tourney' AND nspowner <> 'tourney_owner'::regrole) THEN
        IF NOT pg_has_role('tourney_owner', 'MEMBER') THEN EXECUTE format('GRANT tourney_owner TO %I', current_user); END IF;
        EXECUTE format('GRANT CREATE ON DATABASE %I TO tourney_owner', current_database());
    END IF;
END $$;
-- The owner creates and vacuums the tables. A desk does not log in as the owner.
ALTER SCHEMA tourney OWNER TO tourney_owner;
ALTER TABLE tourney.version OWNER TO tourney_owner;
ALTER TABLE tourney.events OWNER TO tourney_owner;
ALTER TABLE tourney.journal OWNER TO tourney_owner;
ALTER TABLE tourney.head OWNER TO tourney_owner;
ALTER TABLE tourney.texts OWNER TO tourney_owner;
ALTER TABLE tourney.secrets OWNER TO tourney_owner;
ALTER FUNCTION tourney.refuse() OWNER TO tourney_owner;
ALTER FUNCTION tourney.refuse_other_texts() OWNER TO tourney_owner;
ALTER FUNCTION tourney.refuse_moves() OWNER TO tourney_owner;
ALTER FUNCTION tourney.refuse_empty() OWNER TO tourney_owner;
ALTER FUNCTION tourney.notify() OWNER TO tourney_owner;
ALTER FUNCTION tourney.append() OWNER TO tourney_owner;
-- A desk reads, appends and deletes texts by request; no right changes or shortens the journal.
GRANT USAGE ON SCHEMA tourney TO tourney_desk;
GRANT SELECT ON tourney.version TO tourney_desk;
GRANT SELECT, INSERT ON tourney.events, tourney.journal, tourney.texts, tourney.secrets TO tourney_desk;
GRANT UPDATE (salt, bytes) ON tourney.texts TO tourney_desk;
-- To lock the head a login needs the right to update one of its columns; a trigger refuses the update itself.
GRANT SELECT, UPDATE (event) ON tourney.head TO tourney_desk;

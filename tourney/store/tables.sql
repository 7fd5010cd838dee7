-- The tables of events in PostgreSQL, version 1. README.md says what the locks and triggers promise.
CREATE SCHEMA tourney;
CREATE TABLE tourney.version (one boolean PRIMARY KEY DEFAULT true CHECK (one), number integer NOT NULL);
INSERT INTO tourney.version (number) VALUES (1);

-- erased: texts that had been deleted from the copy from which the event was made; no entry records their deletion.
CREATE TABLE tourney.events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    made_by text NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    erased text[] NOT NULL DEFAULT '{}'
);
-- The entries, byte for byte as they were written.
CREATE TABLE tourney.journal (
    event bigint NOT NULL REFERENCES tourney.events,
    seq bigint NOT NULL CHECK (seq > 0),
    at text NOT NULL, by text NOT NULL, op bytea NOT NULL, digest text NOT NULL,
    PRIMARY KEY (event, seq)
);
-- The last entry of each event: an append locks its row.
CREATE TABLE tourney.head (
    event bigint PRIMARY KEY REFERENCES tourney.events, seq bigint NOT NULL, digest text NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE tourney.texts (
    event bigint NOT NULL REFERENCES tourney.events, digest text COLLATE "C" NOT NULL, salt bytea, bytes bytea,
    PRIMARY KEY (event, digest)
);
CREATE TABLE tourney.secrets (event bigint PRIMARY KEY REFERENCES tourney.events, bytes bytea NOT NULL);
-- ANALYZE would keep samples of texts in pg_statistic, where deleting a text does not reach them.
ALTER TABLE tourney.texts ALTER salt SET STATISTICS 0, ALTER bytes SET STATISTICS 0;

-- The search path is fixed, so that a login's own sha256() or operator > cannot decide what may be changed.
CREATE FUNCTION tourney.refuse() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN RAISE EXCEPTION 'tourney.% is never changed or shortened', TG_TABLE_NAME; END $$;
CREATE FUNCTION tourney.refuse_other_texts() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.event = OLD.event AND NEW.digest = OLD.digest AND (
        (NEW.salt IS NULL AND NEW.bytes IS NULL)
        OR ((OLD.salt IS NOT NULL OR OLD.bytes IS NOT NULL)
            AND encode(sha256(NEW.salt || NEW.bytes), 'hex') = NEW.digest)
    ) THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'a text never changes: it can be deleted, or restored to what its digest says';
END $$;
CREATE FUNCTION tourney.refuse_moves() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF pg_trigger_depth() > 1 AND (TG_OP = 'INSERT' OR (NEW.event = OLD.event AND NEW.seq > OLD.seq)) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of an event never goes back, and moves only with its entries';
END $$;
CREATE FUNCTION tourney.refuse_empty() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tourney.journal j WHERE j.event = NEW.id) THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'event "%" has no entries', NEW.name;
END $$;
CREATE FUNCTION tourney.notify() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN PERFORM pg_notify('tourney', NEW.event || ':' || NEW.seq); RETURN NULL; END $$;
-- Runs with the rights of the tables' owner, so that no login can move a head. event/entry.py defines the digest.
CREATE FUNCTION tourney.append() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE last tourney.head; entry tourney.journal;
BEGIN
    FOR entry IN SELECT * FROM added LOOP
        IF last.event IS NULL THEN
            SELECT * INTO last FROM tourney.head h WHERE h.event = entry.event FOR UPDATE;
            IF NOT FOUND THEN last := (entry.event, 0, repeat('0', 64)); END IF;
        END IF;
        IF entry.event <> last.event OR entry.seq <> last.seq + 1 OR entry.digest <> encode(sha256(
            convert_to(concat_ws(E'\n', last.digest, entry.seq, entry.at, entry."by", ''), 'UTF8') || entry.op
        ), 'hex') THEN
            RAISE EXCEPTION 'entry % does not continue event %, which ends with entry %',
                entry.seq, last.event, last.seq;
        END IF;
        last.seq := entry.seq;
        last.digest := entry.digest;
    END LOOP;
    UPDATE tourney.head SET seq = last.seq, digest = last.digest WHERE event = last.event;
    IF last.event IS NOT NULL AND NOT FOUND THEN INSERT INTO tourney.head VALUES (last.*); END IF;
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION tourney.append() FROM PUBLIC; -- so that no login attaches it to a table of its own

CREATE CONSTRAINT TRIGGER begins_with_entries AFTER INSERT ON tourney.events
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tourney.refuse_empty();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON tourney.journal
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
CREATE TRIGGER moves_the_head AFTER INSERT ON tourney.journal
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tourney.append();
CREATE TRIGGER never_shortened BEFORE DELETE OR TRUNCATE ON tourney.head
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
CREATE TRIGGER moves_with_entries BEFORE INSERT OR UPDATE ON tourney.head
    FOR EACH ROW EXECUTE FUNCTION tourney.refuse_moves();
CREATE TRIGGER notifies AFTER INSERT OR UPDATE ON tourney.head FOR EACH ROW EXECUTE FUNCTION tourney.notify();
CREATE TRIGGER never_shortened BEFORE DELETE OR TRUNCATE ON tourney.texts
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
CREATE TRIGGER deleted_or_restored BEFORE UPDATE ON tourney.texts
    FOR EACH ROW EXECUTE FUNCTION tourney.refuse_other_texts();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON tourney.secrets
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();

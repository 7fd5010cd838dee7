-- The tables of codes, links and devices, version 1.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sessions (number INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL, player INTEGER, name TEXT NOT NULL, made TEXT NOT NULL, ended TEXT,
    request TEXT NOT NULL);
CREATE TABLE codes (player INTEGER PRIMARY KEY, digest TEXT NOT NULL, wrong INTEGER NOT NULL,
    session INTEGER);
CREATE TABLE links (digest TEXT PRIMARY KEY, role TEXT NOT NULL, name TEXT NOT NULL, expires TEXT NOT NULL,
    session INTEGER);
CREATE TABLE forms (number INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL,
    digest TEXT NOT NULL, entry INTEGER NOT NULL)

-- Runs once, when the data folder of PostgreSQL is made. The site works as a role that owns its
-- database and nothing else; the superuser has no password, so that only somebody inside the
-- container reaches it: docker compose exec postgres psql -U postgres
\getenv password POSTGRES_PASSWORD
CREATE ROLE rostrum LOGIN PASSWORD :'password';
CREATE DATABASE rostrum OWNER rostrum;
ALTER ROLE postgres PASSWORD NULL;

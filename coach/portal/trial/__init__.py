"""Trial: a visitor without an account makes one short recording, which is deleted after a day."""

"""Home pages, privacy centre, erasure and seeding."""

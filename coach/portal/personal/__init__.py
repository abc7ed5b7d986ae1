"""A person's own data: storage, export, erasure and consents."""

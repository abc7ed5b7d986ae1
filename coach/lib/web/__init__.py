"""HTTP: requests and responses, large bodies, downloads and health checks."""

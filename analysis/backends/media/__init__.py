"""Media backend: opens, probes, decodes and copies recordings."""

"""Research exports: bundles, downloads, the ledger of what was exported, and imports."""

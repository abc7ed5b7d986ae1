"""Everything on one machine with one command: servers, workers, accounts, one real rehearsal."""

from __future__ import annotations

"""Demonstration: everything on one machine with one command: servers, workers, accounts, one real
take.
"""

from __future__ import annotations

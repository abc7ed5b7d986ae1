"""Shared modules for every app, grouped by purpose, with template tags, message catalogues
and embedded servers.
"""

from __future__ import annotations

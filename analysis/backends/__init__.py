"""The only modules that import the heavy libraries."""

from __future__ import annotations

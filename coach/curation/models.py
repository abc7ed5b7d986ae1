"""Proposals to change a rule, mutes, and dry runs."""

from __future__ import annotations

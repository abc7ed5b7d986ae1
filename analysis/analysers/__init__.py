"""Analysers: one module per dimension of speaking, each returning measurements or a reason for
skipping.
"""

from __future__ import annotations

"""Webhooks: signed messages about events to the addresses that an administrator sets.

A message holds ids and no personal data. `sending` reaches public addresses only.
"""

from __future__ import annotations

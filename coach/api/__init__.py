"""The API for programs: access tokens, and version 1 under `/api/v1/`.

A token acts as its owner: every answer goes through the same selectors as the pages.
"""

from __future__ import annotations

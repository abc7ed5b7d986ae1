"""How well and how fast we watch: labelled pictures, constructed clips with exact truth, cost."""

from __future__ import annotations

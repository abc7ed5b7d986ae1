"""Talk: the analysers' shared input, built from sound and picture, and arithmetic on it."""

from __future__ import annotations

"""Accuracy and cost of the vision measures: labelled pictures, constructed clips, speed."""

from __future__ import annotations

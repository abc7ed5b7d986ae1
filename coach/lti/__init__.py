"""LTI 1.3 Advantage: people open assignments from the course of a learning platform.

The platform signs who opens what. We pass back that a take was submitted or reviewed, and no score.
"""

from __future__ import annotations

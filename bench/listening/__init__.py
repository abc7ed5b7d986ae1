"""Accuracy of the speech measures on labelled recordings, compared with plain openai-whisper."""

from __future__ import annotations

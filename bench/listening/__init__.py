"""Accuracy of the speech measures on labelled recordings, beside plain openai-whisper."""

from __future__ import annotations

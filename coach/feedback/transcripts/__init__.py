"""The transcript of a take: its owner's corrections, and downloads as text and as WebVTT."""

"""Recordings on disk: opened with care, probed, decoded, copied for playback."""

"""How it sounds: pitch, level, timbre, frame by frame."""

"""The second room: interviews, the codebook, and what coders found in the text."""

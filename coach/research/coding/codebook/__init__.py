"""The codebook: its tree, its versions, and what became of each code."""

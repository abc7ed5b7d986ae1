"""The codebook: its tree, its versions, and the history of each code."""

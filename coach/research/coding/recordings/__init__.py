"""Recordings of interviews: sent or made here, written down by a worker, put right, taken in."""

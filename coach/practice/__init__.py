"""Practising between takes: exercises, doing it again, progress, what to practise next."""

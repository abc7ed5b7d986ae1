"""HTTP: what is asked and answered, how large bodies come and go, whether a process lives."""

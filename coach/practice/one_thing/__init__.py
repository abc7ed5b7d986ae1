"""One thing to try: from a report into the recorder, and to the top of the next report."""

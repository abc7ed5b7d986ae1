"""One module for each file that researchers can download."""

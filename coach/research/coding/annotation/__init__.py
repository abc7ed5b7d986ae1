"""Coding of texts: codes on spans, in code points, whatever units a browser counts in."""

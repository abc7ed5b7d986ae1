"""Entry point of `python -m feedback_rules`."""

from __future__ import annotations

import io
import sys

from feedback_rules.cli import main

# Cards contain typographic signs, for any terminal encoding.
for stream in (sys.stdout, sys.stderr):
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8")

sys.exit(main(sys.argv[1:]))

"""`python -m feedback_rules`."""

from __future__ import annotations

import sys

from feedback_rules.cli import main

sys.exit(main(sys.argv[1:]))

"""Entry point of `python -m coach.lib.catalogues`."""

from __future__ import annotations

import sys

from coach.lib.catalogues.cli import main

sys.exit(main())

"""How the sign for per cent is not written in English, whoever writes it."""

from __future__ import annotations

import re

NOT_ENGLISH = re.compile(r"(?<=[\d}])[ \u00a0\u202f]%%?(?![\w(}{])|(?<=\)s)[ \u00a0\u202f]%%")
"""A space before the sign; `%(name)s` and `{% %}` are places for something, no per cent."""

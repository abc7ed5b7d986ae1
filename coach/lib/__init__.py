"""What every app may use, by what it is for; template tags, catalogues, the embedded servers."""

from __future__ import annotations

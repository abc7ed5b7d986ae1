"""What every app may use: the clock, HTTP answers, template tags, the embedded servers."""

from __future__ import annotations

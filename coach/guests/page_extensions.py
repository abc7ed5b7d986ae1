"""The guests app's parts of reports."""

from __future__ import annotations

from coach.feedback.pages.extensions import extend_pages
from coach.guests import moments

extend_pages(on_report=[moments.on_report])

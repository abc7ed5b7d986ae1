"""`{{ sentences|doubts }}` and filters for the unsure words of a transcript line."""

from __future__ import annotations

from django import template

from coach.feedback.pages.transcript import doubt_words, is_mostly_unsure, unsure_of

register = template.Library()

register.filter("doubts", doubt_words)
register.filter("unsure", unsure_of)
register.filter("is_mostly_unsure", is_mostly_unsure)

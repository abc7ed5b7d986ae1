"""What a form that was refused says."""

from __future__ import annotations

from django.forms import BaseForm


def first_error(form: BaseForm) -> str:
    """What to mend first, in a sentence."""
    return str(next(iter(form.errors.values()))[0])

"""Reading the environment: typed, and loudly wrong."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def envbool(name: str, *, default: bool) -> bool:
    """`True` or `False`, and nothing else."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value not in {"True", "False"}:
        raise ImproperlyConfigured(f"{name} must be True or False, not {value!r}.")
    return value == "True"


def envint(name: str, *, default: int) -> int:
    """A whole number."""
    value = os.environ.get(name, "")
    if not value:
        return default
    try:
        return int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from error


def envchoice(name: str, choices: tuple[str, ...], *, default: str) -> str:
    """One of a few words. Raises ImproperlyConfigured for any other."""
    value = os.environ.get(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def envlist(name: str) -> list[str]:
    """Comma-separated values."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def envsecret(name: str) -> str:
    """The variable, or the content of the file that NAME_FILE names (Docker secrets)."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        return Path(path).read_text(encoding="utf-8").strip()
    return os.environ.get(name, "")

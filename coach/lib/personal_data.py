"""What an app says of the personal data that it owns: `personal_data.py` in each app makes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coach.accounts.models import User


def nothing_to_erase(_user: User) -> int:
    """For an app all of whose rows go with the person's own."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """What is handed out to a person, what is erased with them, and how long it is kept.

    `handed_out` and `excused` name every column that leads to a person, as `app.model.column`:
    under which key of the document its rows stand, or why they stand in none. A test holds both
    against the models.
    """

    app: str
    kept: Mapping[str, str]
    """For how long, by key of the document; in words of the code, with where it is decided."""
    export: Callable[[User], dict[str, Any]]
    handed_out: Mapping[str, str]
    excused: Mapping[str, str] = field(default_factory=dict)
    export_take: Callable[[Any], dict[str, Any]] | None = None
    """What this app knows of one take of the person's."""
    erase: Callable[[User], int] = nothing_to_erase

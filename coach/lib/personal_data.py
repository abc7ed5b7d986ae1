"""Declaration of an app's personal data; each app makes one in its `personal_data.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coach.accounts.models import User


def nothing_to_erase(_user: User) -> int:
    """Erase nothing, for an app whose rows are all deleted with the user."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """The personal data of an app: what is exported, what is erased, and how long it is kept.

    `handed_out` and `excused` name every column that refers to a person, as `app.model.column`: the
    key of the exported document that contains its rows, or the reason why none does. A test checks
    both against the models.
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

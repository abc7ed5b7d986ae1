"""Number of new notifications in the menu, queried only if a page shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from coach.accounts.models import User
from coach.notices.selectors import unread_count


def badge(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Return the number of the reader's new notifications, for every template."""

    @cache
    def unread() -> int:
        user = getattr(request, "user", None)
        return unread_count(user) if isinstance(user, User) else 0

    return {"unread_notices": unread}

"""What other parts of the product put beside a report: a link each, where there is something."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.utils.module_loading import import_string

from coach.accounts.models import User
from coach.feedback.pages.values import BesideLink
from coach.rehearsals.models import Rehearsal

Beside = Callable[[Rehearsal, User], BesideLink | None]


def links_beside(rehearsal: Rehearsal, reader: User) -> tuple[BesideLink, ...]:
    """What upper apps (`settings.BESIDE_REPORT`) have about this take for this reader."""
    asked: list[Beside] = [import_string(each) for each in settings.BESIDE_REPORT]
    found = (link(rehearsal, reader) for link in asked)
    return tuple(each for each in found if each is not None)

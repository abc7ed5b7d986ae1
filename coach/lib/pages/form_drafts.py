"""What people type and have not sent: upper apps keep it, and let go of what goes with a thing."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.conf import settings
from django.utils.module_loading import import_string

Without = Callable[[str], str]


def purge_drafts(places: Collection[str], *, without: Without | None = None) -> None:
    """Delete what people have typed and not sent on pages whose URL has one of these parts.

    With `without`, what it leaves of each text stays. `settings.FORGETS_TYPED` names who keeps it.
    """
    for name in settings.FORGETS_TYPED:
        import_string(name)(places, without=without)

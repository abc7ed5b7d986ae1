"""What was found in the recordings that were asked for last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from coach.rehearsals.undescribed.laying import Overlay

_Key = tuple[str, int]
Changes = tuple[Overlay, ...]

MOST_CHANGES = 60_000
"""Of all that is remembered: three of the most hostile films, some 9 MB of memory."""
_LEAST = 200
"""What a recording counts at least, so that those without a change are not kept for ever."""


class Remembered:
    """Changes by recording, for all threads of a process; those not asked for longest go first.

    They are counted and not the recordings: a telephone's film needs ten changes, a hostile one
    20,000, which are 3 MB.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[_Key, Changes] = OrderedDict()
        self._lock = Lock()

    def of(self, name: str, size: int, look: Callable[[], Changes]) -> Changes:
        """What `look` finds in this recording, or has found: a recording never changes."""
        key = name, size
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        changes = look()
        with self._lock:
            self._found[key] = changes
            while len(self._found) > 1 and self.weight > MOST_CHANGES:
                self._found.popitem(last=False)
        return changes

    @property
    def weight(self) -> int:
        """How many changes are remembered, each recording counted for some at least."""
        return sum(max(_LEAST, len(changes)) for changes in self._found.values())

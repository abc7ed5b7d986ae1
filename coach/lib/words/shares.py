"""Shares with their confidence interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LEAST_FOR_A_SHARE = 20
"""No percentage is given for fewer: of three, each is a third of all (rule of thumb)."""
_Z = 1.96
"""A 95% interval leaves 2.5% on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share, hits of a total, with Wilson's 95% interval."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """Return the share, 0 to 1."""
        return self.hits / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95% interval of the share (Wilson 1927)."""
        z, n, p = _Z, self.of, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def share_of(hits: int, of: int) -> Share | None:
    """Return the share; None if the total is 0."""
    return Share(hits=hits, of=of) if of else None


def share_words(share: Share | None) -> str:
    """Return '14 of 20: 70% (48–85%)', or '3 of 4' if the total is small; empty for None."""
    if share is None:
        return ""
    if share.of < LEAST_FOR_A_SHARE:
        return _("%(hits)s of %(of)s") % {"hits": share.hits, "of": share.of}
    low, high = share.interval
    return _("%(hits)s of %(of)s: %(share)s%% (%(low)s–%(high)s%%)") % {
        "hits": share.hits,
        "of": share.of,
        "share": round(share.value * 100),
        "low": round(low * 100),
        "high": round(high * 100),
    }


def kept_words(*, as_written: int, reworded: int) -> str:
    """Return how much of the accepted items was kept as written: '9 as written, 5 in other words'.

    A coach who rewords an item agrees with the observation, not with its wording: the two together
    would look like more agreement than there is. Empty if none was accepted.
    """
    if not as_written + reworded:
        return ""
    words = ngettext("%(count)s as written", "%(count)s as written", as_written)
    others = ngettext("%(count)s reworded", "%(count)s reworded", reworded)
    return f"{words % {'count': as_written}}, {others % {'count': reworded}}"

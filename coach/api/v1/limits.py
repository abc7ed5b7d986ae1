"""Limit on the requests of a token within a minute, told in headers.

The counter is in the cache and not exact under load: it protects the site, it bills nobody.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache

from coach.api.models import ApiToken

WINDOW: Final = 60
"""Seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a token has used of its limit in this minute."""

    limit: int
    remaining: int
    reset: int
    """Seconds until the next window."""
    is_over: bool

    @property
    def headers(self) -> dict[str, str]:
        """The headers of draft-ietf-httpapi-ratelimit-headers-10."""
        return {
            "RateLimit-Policy": f'"token";q={self.limit};w={WINDOW}',
            "RateLimit": f'"token";r={self.remaining};t={self.reset}',
        }


def count_request(token: ApiToken) -> Usage:
    """Count a request of this token, and return what is left."""
    now = int(time.time())
    key = f"api:{token.pk}:{now // WINDOW}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        used = cache.incr(key)
    except ValueError:
        # The counter was evicted at the same moment.
        used = 1
    limit = settings.API_PER_MINUTE
    return Usage(
        limit=limit,
        remaining=max(0, limit - used),
        reset=WINDOW - now % WINDOW,
        is_over=used > limit,
    )

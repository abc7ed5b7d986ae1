"""Services for access tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.api.models import ApiToken, RepeatedRequest
from coach.api.scopes import Scope
from coach.api.selectors import valid_tokens_for
from coach.audit.services import record_act

PREFIX: Final = "rostrum_"
"""Makes a token recognisable, for people and for programs that look for leaked secrets."""
MOST_TOKENS: Final = 20
"""Valid tokens of a person (rule of thumb)."""
SEEN_EVERY: Final = timedelta(minutes=10)
"""How often the last use is written (rule of thumb)."""
KEEP_ANSWERS: Final = timedelta(days=1)
"""How long a repeated request gets the same answer."""


def digest_of(secret: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def make_token(
    *, user: User, name: str, scopes: Collection[Scope], ends_at: datetime
) -> tuple[ApiToken, str]:
    """Make a token and return it with its secret, which is stored nowhere.

    Raises ValidationError if the person has many already.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if valid_tokens_for(user).count() >= MOST_TOKENS:
        raise ValidationError(
            _("You have %(count)d tokens. Revoke one that you no longer need.")
            % {"count": MOST_TOKENS}
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=digest_of(secret),
        ending=secret[-4:],
        scopes=sorted(scopes),
        ends_at=ends_at,
    )
    record_act(action="api.token_made", target=token, actor=user, token_scopes=token.scopes)
    return token, secret


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User) -> None:
    """End a token at once."""
    found = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if found.update(revoked_at=timezone.now()):
        record_act(action="api.token_revoked", target=token, actor=actor)


def note_use(*, token: ApiToken) -> None:
    """Write when a token was last used, every ten minutes."""
    now = timezone.now()
    if token.used_at is None or now - token.used_at > SEEN_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


def forget_answers() -> int:
    """Delete the answers to requests that are older than a day; return their number."""
    return RepeatedRequest.objects.filter(at__lt=timezone.now() - KEEP_ANSWERS).delete()[0]

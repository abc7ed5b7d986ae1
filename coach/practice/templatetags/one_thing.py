"""Template tag `{% one_thing as advice %}`: what to try in the take that is being recorded."""

from __future__ import annotations

from django import template
from django.template import RequestContext

from coach.accounts.models import User
from coach.lib.web.http import uuid_of
from coach.practice.one_thing.advice import Advice, advice_for
from coach.rehearsals.selectors import own_rehearsals_for

register = template.Library()


@register.simple_tag(takes_context=True)
def one_thing(context: RequestContext) -> Advice | None:
    """Return what the reader could try in the next take of their talk (`?again=`)."""
    request = context["request"]
    if not isinstance(request.user, User):
        return None
    named = uuid_of(request.GET.get("again", ""))
    own = own_rehearsals_for(request.user)
    return advice_for(request.user, of=own.filter(pk=named).first() if named else None)

"""Template tag `{% first_steps "review" %}` for the first page of a part of the site."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import RequestContext

from coach.accounts.models import User
from coach.portal.home.first_steps import steps_for

register = template.Library()


@register.inclusion_tag("portal/_first_steps.html", takes_context=True)
def first_steps(context: RequestContext, part: str) -> dict[str, Any]:
    """Return the open first steps of the reader."""
    user = context.get("user")
    steps = steps_for(user, part) if isinstance(user, User) else ()
    here = context["request"].path if "request" in context else ""
    return {"steps": steps, "part": part, "here": here, "csrf_token": context.get("csrf_token")}

"""What somebody typed before they were signed out: seen and sent by them alone."""

from __future__ import annotations

import re
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.portal.drafts.selectors import KEPT_FOR, kept_forms_for
from coach.portal.drafts.services import discard_kept_form
from coach.portal.drafts.signed_out import SENT_FROM
from coach.portal.drafts.typed import typed_part
from coach.portal.models import KeptForm

_FEW = 8
"""So many answers are shown one by one; of more, first those that are written in words."""
_CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
"""The value of a choice, `not_right`: its words are read, not its code."""
_KEY = re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}")
_LABELS = {
    "claim": gettext_lazy("What you observed"),
    "clips": gettext_lazy("Moments"),
    "comparison": gettext_lazy("What it is compared with"),
    "suggestion": gettext_lazy("What to try"),
    "why": gettext_lazy("Why it matters"),
    "word": gettext_lazy("Comment for the trainee"),
    "wording": gettext_lazy("What you observed"),
}
"""What the desk calls the fields in which a coach writes."""


@require_GET
@never_cache
@login_required
def kept(request: SignedInRequest, kept_id: UUID) -> HttpResponse:
    """What was typed, with one button that sends it. Somebody else is told nothing of it."""
    form = kept_forms_for(request.user).filter(pk=kept_id).first()
    if form is None:
        return redirect("portal:home")
    shown, others = _answers(form)
    query = urlencode({SENT_FROM: form.pk})
    context = {
        "form": form,
        "send_url": f"{form.url}{'&' if '?' in form.url else '?'}{query}",
        "shown": shown,
        "others": others,
        "until": form.kept_at + KEPT_FOR,
    }
    return render(request, "portal/kept.html", context)


def _answers(form: KeptForm) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What to show at once, and what behind it: labels and values."""
    told = [(_label(name), _in_words(value)) for name, value in typed_part(form.url, form.fields)]
    if len(told) <= _FEW:
        return told, []
    is_prose = [" " in value.strip() and not value.startswith("{") for _label, value in told]
    paired = list(zip(told, is_prose, strict=True))
    return [row for row, prose in paired if prose], [row for row, prose in paired if not prose]


def _label(name: str) -> str:
    name = _KEY.sub("", name).strip("_")
    words = name.replace("_", " ").replace("|", " ").capitalize()
    return str(_LABELS.get(name, words))


def _in_words(value: str) -> str:
    return value.replace("_", " ").capitalize() if _CODE.fullmatch(value) else value


@require_POST
@login_required
@do_not_replay
def discard(request: SignedInRequest, kept_id: UUID) -> HttpResponse:
    """Its owner does not want it any more."""
    discard_kept_form(user=request.user, kept_id=kept_id)
    messages.success(request, _("Discarded. Nothing was sent."))
    return redirect("portal:home")

"""Views that autosave forms, and that offer a form submitted without a session."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.drafts.middleware import DRAFT
from coach.drafts.models import FormDraft
from coach.drafts.selectors import autosaved_drafts_for, submitted_drafts_for
from coach.drafts.services import autosave_draft, delete_submitted_draft
from coach.drafts.submitted import filled_in
from coach.lib.pages.plain_text import storable
from coach.lib.web.http import SignedInRequest, do_not_replay

_FEW = 8
"""The number of answers that are shown one by one; of more, prose is shown first."""
_CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
"""The pattern of a choice's code, such as `not_right`, which is shown as words."""
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
"""Labels for the text fields of the review page."""


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
@do_not_replay
def autosave(request: SignedInRequest) -> HttpResponse:
    """Return the user's drafts of a page (GET ?page=), or save one (POST)."""
    if request.method == "GET":
        page = storable(request.GET.get("page", ""))
        found = autosaved_drafts_for(request.user).filter(page=page)
        forms = [{"form": draft.form, "fields": dict(draft.fields)} for draft in found]
        return JsonResponse({"forms": forms, "owner": request.user.pk})
    try:
        autosave_draft(
            user=request.user,
            page=request.POST.get("page", ""),
            form=request.POST.get("form", ""),
            fields=json.loads(request.POST.get("fields", "")),
        )
    except (ValueError, RecursionError):
        return HttpResponse(status=400)
    return HttpResponse(status=204)


@require_GET
@never_cache
@login_required
def submitted(request: SignedInRequest, kept_id: UUID) -> HttpResponse:
    """Show the user's submitted draft, with a button that submits it again."""
    draft = submitted_drafts_for(request.user).filter(pk=kept_id).first()
    if draft is None:
        return redirect("portal:home")
    shown, others = _answers(draft)
    query = urlencode({DRAFT: draft.pk})
    context = {
        "draft": draft,
        "send_url": f"{draft.form}{'&' if '?' in draft.form else '?'}{query}",
        "shown": shown,
        "others": others,
    }
    return render(request, "portal/kept.html", context)


def _answers(draft: FormDraft) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return labels and values of the answers to show at once, and of those to fold."""
    rows = [(_label(name), _in_words(value)) for name, value in filled_in(draft.form, draft.fields)]
    if len(rows) <= _FEW:
        return rows, []
    is_prose = [" " in value.strip() and not value.startswith("{") for _label, value in rows]
    paired = list(zip(rows, is_prose, strict=True))
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
    """Delete a submitted draft for its owner."""
    delete_submitted_draft(user=request.user, draft_id=kept_id)
    messages.success(request, _("Discarded. Nothing was sent."))
    return redirect("portal:home")

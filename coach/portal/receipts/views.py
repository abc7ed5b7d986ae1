"""Views for deleting takes, and for receipts."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.freshness import password_again
from coach.accounts.models import User
from coach.lib.web.http import SignedInRequest, attachment, do_not_replay, uuid_of
from coach.lib.words.punctuation import within_quotes
from coach.portal.models import Receipt
from coach.portal.receipts.page import receipt_file, receipt_page
from coach.portal.receipts.services import delete_take, receipts_for
from coach.rehearsals.selectors import own_rehearsals_for, own_talks_for


@require_POST
@login_required
@password_again
@do_not_replay
def delete(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Delete one's own take after confirmation."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    if request.POST.get("confirm") != "yes":
        messages.warning(request, _("Nothing was deleted."))
        return redirect("feedback:takes")
    title = rehearsal.title
    try:
        receipt = delete_take(rehearsal=rehearsal)
    except ValidationError as obstacle:
        messages.error(request, obstacle.messages[0])
        return redirect("feedback:takes")
    said = _("Deleted: “%(title)s”, with its recording and all its results.")
    messages.success(request, said % {"title": within_quotes(title)})
    return redirect("portal:receipt", receipt.pk)


@require_POST
@login_required
@password_again
@do_not_replay
def delete_some(request: SignedInRequest, talk_id: UUID) -> HttpResponse:
    """Delete the selected takes of one's own talk."""
    talk = get_object_or_404(own_talks_for(request.user), pk=talk_id)
    ticked = [key for text in request.POST.getlist("take") if (key := uuid_of(text))]
    takes = list(own_rehearsals_for(request.user).filter(talk=talk, pk__in=ticked))
    if not takes:
        messages.warning(request, _("Nothing was deleted. Tick the takes first."))
        return redirect("feedback:talk", talk.pk)
    try:
        for take in takes:
            delete_take(rehearsal=take)
    except ValidationError as obstacle:
        messages.error(request, obstacle.messages[0])
        return redirect("feedback:talk", talk.pk)
    said = ngettext(
        "Deleted: %(count)d take, with its recording and all its results. The receipt is on "
        "your Privacy page.",
        "Deleted: %(count)d takes, with their recordings and all their results. The receipts "
        "are on your Privacy page.",
        len(takes),
    )
    messages.success(request, said % {"count": len(takes)})
    is_left = own_talks_for(request.user).filter(pk=talk.pk).exists()
    return redirect("feedback:talk", talk.pk) if is_left else redirect("feedback:takes")


@require_GET
def receipt(request: HttpRequest, receipt_id: UUID) -> HttpResponse:
    """Show a receipt, with a fresh check that the data is gone."""
    return render(request, "portal/receipt.html", {"page": receipt_page(_own(request, receipt_id))})


@require_GET
def download(request: HttpRequest, receipt_id: UUID) -> HttpResponse:
    """Download a receipt as a file."""
    name = "rostrum-receipt.json"
    headers = attachment(name)
    content = receipt_file(_own(request, receipt_id))
    return HttpResponse(content, content_type="application/json", headers=headers)


def _own(request: HttpRequest, receipt_id: UUID) -> Receipt:
    user = request.user if isinstance(request.user, User) else None
    return get_object_or_404(receipts_for(user), pk=receipt_id)

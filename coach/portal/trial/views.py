"""Views of a trial: what it stores, its beginning, its state, and its deletion."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.models import Language, User
from coach.accounts.trial import TRIAL_LENGTH, TRIAL_MINUTES
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.portal.personal.erasure import erase_person
from coach.portal.trial.forms import TrialForm
from coach.portal.trial.page import trial_page
from coach.portal.trial.services import begin_trial, may_begin, sign_in_visitor


@require_http_methods(["GET", "POST"])
def trial(request: HttpRequest) -> HttpResponse:
    """Show what a trial stores and begin it, or show the one in progress."""
    user = request.user
    if isinstance(user, User):
        if not user.is_trial:
            return redirect("portal:home")
        return render(request, "portal/trial/trial.html", {"page": trial_page(user)})
    if "trial" not in settings.ACCESS:
        raise Http404
    form = TrialForm(request.POST or None)
    if form.is_valid():
        if may_begin(request):
            visitor = begin_trial(language=get_language() or Language.ENGLISH)
            sign_in_visitor(request, visitor)
            return redirect("feedback:record")
        form.add_error(None, _("The trials of today are used up. Try again tomorrow."))
    context = {
        "form": form,
        "minutes": TRIAL_MINUTES,
        "hours": int(TRIAL_LENGTH.total_seconds() / 3600),
    }
    status = 422 if form.errors else 200
    return render(request, "portal/trial/begin.html", context, status=status)


@require_POST
@login_required
@do_not_replay
def delete(request: SignedInRequest) -> HttpResponse:
    """Delete the visitor's trial at once."""
    visitor = request.user
    if not visitor.is_trial:
        raise Http404
    try:
        receipt = erase_person(user=visitor)
    except ValidationError as obstacle:
        messages.error(request, obstacle.messages[0])
        return redirect("portal:trial")
    logout(request)
    return render(request, "portal/erased.html", {"receipt": receipt})
